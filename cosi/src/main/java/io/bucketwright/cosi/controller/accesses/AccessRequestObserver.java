package io.bucketwright.cosi.controller.accesses;

import io.bucketwright.api.cosi.Bucket;
import io.bucketwright.api.cosi.BucketAccess;
import io.bucketwright.api.cosi.BucketAccessRequest;
import io.bucketwright.api.cosi.BucketRequest;
import io.bucketwright.cosi.controller.objects.AccessSecrets;
import io.bucketwright.cosi.controller.objects.CosiCaches;
import io.bucketwright.cosi.controller.objects.NameReservations;
import io.bucketwright.cosi.controller.objects.ObjectNames;
import io.bucketwright.cosi.controller.steps.SecretConflicts;
import io.bucketwright.runtime.ObjectKey;
import io.bucketwright.runtime.TimeSource;
import io.bucketwright.runtime.objects.Metadata;
import java.util.Comparator;
import java.util.Optional;

/** Collects from the caches what concerns one BucketAccessRequest. */
public final class AccessRequestObserver {

    private final CosiCaches cluster;
    private final AccessSecrets secrets;
    private final SecretConflicts conflicts;
    private final NameReservations names;
    private final TimeSource time;

    public AccessRequestObserver(
            CosiCaches cluster, SecretConflicts conflicts, NameReservations names, TimeSource time) {
        this.cluster = cluster;
        this.secrets = new AccessSecrets(cluster);
        this.conflicts = conflicts;
        this.names = names;
        this.time = time;
    }

    public AccessRequestView observe(ObjectKey key) {
        Optional<BucketAccessRequest> request =
                cluster.accessRequest(key.namespace(), key.name()).filter(key::names);
        Optional<BucketAccess> access = accessFor(key);
        Optional<BucketRequest> bucketRequest = request.flatMap(this::bucketRequest);
        Optional<Bucket> bucket = access.isPresent()
                ? access.flatMap(cluster::bucketOf)
                : bucketRequest.flatMap(found -> cluster.bucket(found.getSpec().bucketInstanceName()));
        return new AccessRequestView(
                request,
                cluster.namespaceUid(key.namespace()),
                bucketRequest,
                bucket,
                request.flatMap(found -> cluster.accessClass(found.getSpec().bucketAccessClassName())),
                access,
                request.filter(this::isNameTaken).isPresent(),
                access.flatMap(secrets::granted).isPresent(),
                copyState(request, access, key),
                time.now());
    }

    /** The named request, or the first one of the namespace that names the same Bucket. */
    private Optional<BucketRequest> bucketRequest(BucketAccessRequest request) {
        String namespace = request.getMetadata().getNamespace();
        String name = request.getSpec().bucketRequestName();
        if (!name.isEmpty()) {
            return cluster.request(namespace, name);
        }
        return cluster.requestsNaming(request.getSpec().bucketInstance()).stream()
                .filter(found -> found.getMetadata().getNamespace().equals(namespace))
                .min(Comparator.comparing(Metadata::isBeingDeleted)
                        .thenComparing(found -> found.getMetadata().getName()));
    }

    private Optional<BucketAccess> accessFor(ObjectKey key) {
        // By name first: if the index lags, a second create of the same name would be refused.
        return ObjectNames.accesses(key.namespace(), key.name(), key.uid()).stream()
                .flatMap(name -> cluster.access(name).stream())
                .filter(found -> found.getSpec().bucketAccessRequestUid().equals(key.uid()))
                .findFirst()
                .or(() -> cluster.accessesFor(key.uid()).stream().findFirst());
    }

    private boolean isNameTaken(BucketAccessRequest request) {
        String chosen = request.getSpec().bucketAccessName();
        ObjectKey key = ObjectKey.of(request);
        String name = chosen.isEmpty() ? ObjectNames.access(key.namespace(), key.name(), key.uid(), false) : chosen;
        boolean exists = cluster.access(name)
                .filter(other -> !other.getSpec().bucketAccessRequestUid().equals(key.uid()))
                .isPresent();
        return exists
                || (chosen.isEmpty()
                        && (names.isReservedByOther(name, key.uid())
                                || cluster.accessRequestsNaming(name).stream().anyMatch(other -> !key.names(other))));
    }

    private AccessSecrets.CopyState copyState(
            Optional<BucketAccessRequest> request, Optional<BucketAccess> access, ObjectKey key) {
        if (request.isEmpty() || access.isEmpty()) {
            return AccessSecrets.CopyState.ABSENT;
        }
        return conflicts.contains(key) ? AccessSecrets.CopyState.FOREIGN : secrets.compare(access.get(), request.get());
    }
}
