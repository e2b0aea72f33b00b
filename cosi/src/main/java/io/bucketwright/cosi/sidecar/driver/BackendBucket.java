package io.bucketwright.cosi.sidecar.driver;

import io.bucketwright.api.cosi.Bucket;
import io.bucketwright.api.cosi.BucketRequestRef;
import io.bucketwright.api.cosi.CosiNames;
import io.bucketwright.runtime.objects.Metadata;
import java.util.Map;

/**
 * A bucket as the driver knows it.
 *
 * @param name in the store
 * @param parameters of the class it was created with
 * @param ownerUid in its ownership tag
 * @param formerCluster the cluster that an administrator transfers it from, or transferred it from; empty if none. Its
 *     accounts are revoked too. The bucket itself may belong to that cluster again
 */
public record BackendBucket(String name, Map<String, String> parameters, String ownerUid, String formerCluster) {

    public static BackendBucket of(Bucket bucket) {
        return new BackendBucket(
                bucket.getSpec().protocol().bucketName(),
                bucket.getSpec().parameters(),
                ownerUid(bucket),
                formerCluster(bucket));
    }

    private static String formerCluster(Bucket bucket) {
        String requested = Metadata.annotation(bucket, CosiNames.TRANSFER_FROM);
        return requested.isEmpty() ? Metadata.annotation(bucket, CosiNames.TRANSFERRED_FROM) : requested;
    }

    /** A Bucket that a backup restored has another uid; the uid of its creator is in its spec and stays. */
    private static String ownerUid(Bucket bucket) {
        return bucket.getSpec()
                .creator()
                .map(BucketRequestRef::uid)
                .orElse(bucket.getMetadata().getUid());
    }
}
