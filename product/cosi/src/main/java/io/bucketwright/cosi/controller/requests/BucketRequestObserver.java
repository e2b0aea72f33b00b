package io.bucketwright.cosi.controller.requests;

import io.bucketwright.api.cosi.Bucket;
import io.bucketwright.api.cosi.BucketClass;
import io.bucketwright.api.cosi.BucketRequest;
import io.bucketwright.cosi.controller.objects.BucketPermission;
import io.bucketwright.cosi.controller.objects.CosiCaches;
import io.bucketwright.cosi.controller.objects.CosiMetadata;
import io.bucketwright.cosi.controller.objects.ObjectNames;
import io.bucketwright.cosi.controller.objects.ReconcileState;
import io.bucketwright.cosi.controller.steps.CosiCondition;
import io.bucketwright.runtime.ObjectKey;
import io.bucketwright.runtime.TimeSource;
import io.bucketwright.runtime.objects.Metadata;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** Collects from the caches what concerns one BucketRequest. */
public record BucketRequestObserver(CosiCaches cluster, ReconcileState state, TimeSource time) {

    public Optional<BucketRequestView> observe(ObjectKey key) {
        return cluster.requests
                .get(key.namespace(), key.name())
                .filter(key::names)
                .map(request -> view(request, key));
    }

    private BucketRequestView view(BucketRequest request, ObjectKey key) {
        Optional<Bucket> bucket = cluster.bucket(request.getSpec().bucketInstanceName());
        // Before the uids of namespaces are used: one that is not known may be known a moment later.
        boolean undecided = bucket.filter(found -> isUndecided(found, key)).isPresent();
        return new BucketRequestView(
                request,
                cluster.namespaceUid(key.namespace()),
                classesOf(request),
                bucket,
                isNameTaken(key),
                cluster.accessesThrough.get(key.uid()),
                undecided,
                bucket.filter(found -> isShared(found, key)).isPresent(),
                state.refusal(key.uid()),
                cluster.accessRequestsThrough(request).anyMatch(access -> !Metadata.isBeingDeleted(access)),
                cluster.accessRequestsThrough(request).anyMatch(CosiCondition::wasBound),
                time.now());
    }

    private List<BucketClass> classesOf(BucketRequest request) {
        String name = request.getSpec().bucketClassName();
        if (!name.isEmpty()) {
            return cluster.classes.get("", name).stream().toList();
        }
        return cluster.classes.list().stream()
                .filter(BucketClass::isDefaultBucketClass)
                .filter(found ->
                        found.offeredProtocol().equals(request.getSpec().wantedProtocol()))
                .sorted(Comparator.comparing(found -> found.getMetadata().getName()))
                .toList();
    }

    private boolean isNameTaken(ObjectKey key) {
        String name = ObjectNames.bucket(key, false);
        boolean exists = cluster.bucket(name)
                .filter(other -> !BucketPermission.isCreatedFor(other, key.uid()))
                .isPresent();
        // A request that chose the name creates its Bucket next; one that only names an existing Bucket does not.
        return exists
                || state.isReservedByOther(name, key.uid())
                || cluster.requestsNaming.get(name).stream()
                        .filter(other -> !key.names(other))
                        .anyMatch(CosiMetadata::isNew);
    }

    private boolean isUndecided(Bucket bucket, ObjectKey key) {
        return cluster.undecidedRequests(bucket)
                .anyMatch(request -> key.names(request) || !Metadata.isBeingDeleted(request));
    }

    private boolean isShared(Bucket bucket, ObjectKey key) {
        return cluster.entitledRequests(bucket)
                .anyMatch(other -> !other.getMetadata().getUid().equals(key.uid()) && !Metadata.isBeingDeleted(other));
    }
}
