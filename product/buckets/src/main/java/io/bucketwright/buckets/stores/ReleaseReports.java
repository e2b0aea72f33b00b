package io.bucketwright.buckets.stores;

import io.bucketwright.api.ObjectBucketClaim;
import io.bucketwright.buckets.objects.ClaimReason;
import io.bucketwright.buckets.objects.RecordedBucket;
import io.bucketwright.runtime.events.EventRecorder;
import io.bucketwright.store.errors.StoreException;
import java.util.List;

/** Reports on claim and ObjectBucket, both of which are about to be deleted, what the store did not do. */
public record ReleaseReports(EventRecorder events) {

    /**
     * The bucket was left alone.
     *
     * @param claims the claim, unless it no longer exists
     */
    public void bucketKept(List<ObjectBucketClaim> claims, RecordedBucket bucket, StoreException why) {
        String message = "Bucket " + bucket.intent().bucketName()
                + " was kept in the store: nothing was deleted or erased there. " + why.getMessage();
        claims.forEach(deleted -> events.warning(deleted, ClaimReason.BUCKET_KEPT, "Release", message));
        events.warning(bucket.object(), ClaimReason.BUCKET_KEPT, "Release", message);
    }
}
