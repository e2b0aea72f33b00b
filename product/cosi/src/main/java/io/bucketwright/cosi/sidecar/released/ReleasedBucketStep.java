package io.bucketwright.cosi.sidecar.released;

import io.bucketwright.api.objectstorage.BucketClaim;
import io.bucketwright.api.objectstorage.ReleasedBucket;
import io.bucketwright.api.objectstorage.ReleasedBucketAccess;
import io.bucketwright.cosi.sidecar.driver.DriverMethod;
import io.bucketwright.runtime.ObjectKey;
import io.bucketwright.runtime.controller.Problem;
import io.bucketwright.runtime.controller.Result;
import io.bucketwright.runtime.controller.Step;
import java.util.Optional;

/** A step of the controller for Buckets: one call to the driver, one write, or one event. */
sealed interface ReleasedBucketStep extends Step.Call {

    /**
     * Adds the finalizers of the Bucket and of its accesses in one write.
     *
     * @param attempt whether to record that the driver will be called for the first time
     */
    record Protect(ReleasedBucket bucket, boolean attempt) implements ReleasedBucketStep {}

    /** Records that the store had a bucket of that name before the first attempt. */
    record RecordNameInUse(ReleasedBucket bucket) implements ReleasedBucketStep {}

    record Create(ReleasedBucket bucket, String inputs) implements ReleasedBucketStep {}

    /**
     * Deletes the bucket in the store.
     *
     * @param id by which the driver finds it
     */
    record Delete(ReleasedBucket bucket, String id, String inputs) implements ReleasedBucketStep {}

    /** Writes the id and whether the bucket is ready. It is not while it is being deleted in the store. */
    record WriteStatus(ReleasedBucket bucket, String id, boolean ready) implements ReleasedBucketStep {}

    record MarkClaimReady(BucketClaim claim, ReleasedBucket bucket) implements ReleasedBucketStep {}

    /** Deletes an access of a claim that is being deleted. */
    record DeleteAccess(ReleasedBucketAccess access) implements ReleasedBucketStep {}

    /** Gives the bucket up: the driver does not say whether it still exists. */
    record SkipDelete(ReleasedBucket bucket, String id, String cause) implements ReleasedBucketStep {}

    /** Removes the finalizer of the claim. */
    record RemoveClaimFinalizer(BucketClaim claim) implements ReleasedBucketStep {}

    /** Removes both finalizers of the Bucket. */
    record RemoveFinalizers(ReleasedBucket bucket, boolean retained) implements ReleasedBucketStep {}

    /** Forgets a Bucket that no longer exists. */
    record Forget(ObjectKey key) implements ReleasedBucketStep {}

    /** Reports on the Bucket, and on its claim if there is one, unless the same problem was reported last, and ends. */
    record Report(
            ReleasedBucket bucket, Optional<BucketClaim> claim, DriverMethod method, Problem problem, Result result)
            implements ReleasedBucketStep {}
}
