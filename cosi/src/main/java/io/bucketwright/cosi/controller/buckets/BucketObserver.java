package io.bucketwright.cosi.controller.buckets;

import io.bucketwright.api.cosi.Bucket;
import io.bucketwright.cosi.controller.objects.AccessSecrets;
import io.bucketwright.cosi.controller.objects.CosiCaches;
import io.bucketwright.cosi.controller.objects.CosiMetadata;
import io.bucketwright.runtime.ObjectKey;
import io.bucketwright.runtime.objects.Metadata;
import java.util.List;
import java.util.Optional;

/** Collects from the caches what concerns one Bucket. */
public final class BucketObserver {

    private final CosiCaches cluster;
    private final AccessSecrets secrets;

    public BucketObserver(CosiCaches cluster) {
        this.cluster = cluster;
        this.secrets = new AccessSecrets(cluster);
    }

    public BucketView observe(ObjectKey key) {
        Optional<Bucket> bucket = cluster.bucket(key.name()).filter(key::names);
        List<BucketView.Access> accesses = cluster.accessesOfBucket(key.name()).stream()
                .filter(access -> access.getSpec().bucketUid().equals(key.uid()))
                .map(access ->
                        new BucketView.Access(access, secrets.granted(access).isPresent()))
                .toList();
        return new BucketView(
                bucket,
                accesses,
                bucket.stream()
                        .flatMap(cluster::entitledRequests)
                        .anyMatch(request -> !Metadata.isBeingDeleted(request)),
                bucket.stream()
                        .flatMap(cluster::entitledRequests)
                        .anyMatch(request -> Metadata.isBeingDeleted(request) && CosiMetadata.hasFinalizer(request)));
    }
}
