package io.bucketwright.cosi.sidecar.driver;

import io.bucketwright.api.cosi.Bucket;
import io.bucketwright.api.cosi.BucketRequestRef;
import java.util.Map;

/**
 * A bucket as the driver knows it.
 *
 * @param name in the store
 * @param parameters of the class it was created with
 * @param ownerUid in its ownership tag
 */
public record BackendBucket(String name, Map<String, String> parameters, String ownerUid) {

    public static BackendBucket of(Bucket bucket) {
        return new BackendBucket(
                bucket.getSpec().protocol().bucketName(), bucket.getSpec().parameters(), ownerUid(bucket));
    }

    /** A Bucket that a backup restored has another uid; the uid of its creator is in its spec and stays. */
    private static String ownerUid(Bucket bucket) {
        return bucket.getSpec()
                .creator()
                .map(BucketRequestRef::uid)
                .orElse(bucket.getMetadata().getUid());
    }
}
