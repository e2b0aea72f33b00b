package io.bucketwright.cosi.controller.requests;

import io.bucketwright.api.cosi.Bucket;
import io.bucketwright.api.cosi.BucketClass;
import io.bucketwright.api.cosi.BucketRequest;
import io.bucketwright.cosi.controller.objects.CosiCaches;
import io.bucketwright.cosi.controller.objects.CosiMetadata;
import io.bucketwright.cosi.controller.objects.NameReservations;
import io.bucketwright.cosi.controller.objects.ObjectNames;
import io.bucketwright.runtime.ObjectKey;
import io.bucketwright.runtime.TimeSource;
import io.bucketwright.runtime.objects.Metadata;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** Collects from the caches what concerns one BucketRequest. */
public final class BucketRequestObserver {

    private final CosiCaches cluster;
    private final NameReservations names;
    private final TimeSource time;

    public BucketRequestObserver(CosiCaches cluster, NameReservations names, TimeSource time) {
        this.cluster = cluster;
        this.names = names;
        this.time = time;
    }

    public BucketRequestView observe(ObjectKey key) {
        Optional<BucketRequest> request =
                cluster.request(key.namespace(), key.name()).filter(key::names);
        Optional<Bucket> bucket =
                request.flatMap(found -> cluster.bucket(found.getSpec().bucketInstanceName()));
        return new BucketRequestView(
                request,
                cluster.namespaceUid(key.namespace()),
                request.map(this::classOf).orElse(new BucketClassChoice.NoDefault()),
                bucket,
                isNameTaken(key),
                cluster.accessesThrough(key.uid()),
                bucket.filter(found -> isShared(found, key)).isPresent(),
                request.filter(this::isAccessRequested).isPresent(),
                time.now());
    }

    private BucketClassChoice classOf(BucketRequest request) {
        String name = request.getSpec().bucketClassName();
        if (!name.isEmpty()) {
            return cluster.bucketClass(name)
                    .<BucketClassChoice>map(BucketClassChoice.Chosen::new)
                    .orElse(new BucketClassChoice.Missing(name));
        }
        List<BucketClass> defaults = cluster.bucketClasses().stream()
                .filter(BucketClass::isDefaultBucketClass)
                .filter(found ->
                        found.offeredProtocol().equals(request.getSpec().wantedProtocol()))
                .sorted(Comparator.comparing(found -> found.getMetadata().getName()))
                .toList();
        return switch (defaults.size()) {
            case 0 -> new BucketClassChoice.NoDefault();
            case 1 -> new BucketClassChoice.Chosen(defaults.getFirst());
            default ->
                new BucketClassChoice.Ambiguous(defaults.stream()
                        .map(found -> found.getMetadata().getName())
                        .toList());
        };
    }

    private boolean isNameTaken(ObjectKey key) {
        String name = ObjectNames.bucket(key.namespace(), key.name(), key.uid(), false);
        boolean exists = cluster.bucket(name)
                .filter(other -> other.getSpec()
                        .creator()
                        .filter(creator -> creator.uid().equals(key.uid()))
                        .isEmpty())
                .isPresent();
        // A request that chose the name creates its Bucket next; one that only names an existing Bucket does not.
        return exists
                || names.isReservedByOther(name, key.uid())
                || cluster.requestsNaming(name).stream()
                        .filter(other -> !key.names(other))
                        .anyMatch(other ->
                                Metadata.annotation(other, CosiMetadata.ORIGIN).equals(CosiMetadata.NEW));
    }

    private boolean isAccessRequested(BucketRequest request) {
        return cluster.accessRequestsThrough(request).anyMatch(access -> !Metadata.isBeingDeleted(access));
    }

    private boolean isShared(Bucket bucket, ObjectKey key) {
        return cluster.entitledRequests(bucket)
                .anyMatch(other -> !other.getMetadata().getUid().equals(key.uid()) && !Metadata.isBeingDeleted(other));
    }
}
