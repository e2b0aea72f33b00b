package io.bucketwright.cosi.controller.buckets;

import io.bucketwright.api.cosi.Bucket;
import io.bucketwright.cosi.controller.objects.AccessSecrets;
import io.bucketwright.cosi.controller.objects.CosiCaches;
import io.bucketwright.cosi.controller.objects.CosiMetadata;
import io.bucketwright.runtime.ObjectKey;
import io.bucketwright.runtime.TimeSource;
import io.bucketwright.runtime.objects.Metadata;
import java.util.List;
import java.util.Optional;

/** Collects from the caches what concerns one Bucket. */
public record BucketObserver(CosiCaches cluster, AccessSecrets secrets, TimeSource time) {

    public Optional<BucketView> observe(ObjectKey key) {
        return cluster.bucket(key.name()).filter(key::names).map(this::view);
    }

    private BucketView view(Bucket bucket) {
        List<BucketView.Access> accesses = cluster
                .accessesOfBucket
                .get(bucket.getMetadata().getName())
                .stream()
                .filter(access ->
                        access.getSpec().bucketUid().equals(bucket.getMetadata().getUid()))
                .map(access ->
                        new BucketView.Access(access, secrets.granted(access).isPresent()))
                .toList();
        return new BucketView(
                bucket,
                accesses,
                isWanted(bucket),
                cluster.entitledRequests(bucket)
                        .anyMatch(request -> Metadata.isBeingDeleted(request) && CosiMetadata.hasFinalizer(request)),
                bucket.getSpec()
                        .creator()
                        .filter(creator -> cluster.requests
                                .get(creator.namespace(), creator.name())
                                .filter(request ->
                                        request.getMetadata().getUid().equals(creator.uid()))
                                .isEmpty())
                        .isPresent(),
                time.now());
    }

    /** Requests whose namespace is not known come first: it may be known a moment later. */
    private boolean isWanted(Bucket bucket) {
        return cluster.undecidedRequests(bucket).anyMatch(request -> !Metadata.isBeingDeleted(request))
                || cluster.entitledRequests(bucket).anyMatch(request -> !Metadata.isBeingDeleted(request));
    }
}
