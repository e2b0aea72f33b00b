package io.bucketwright.cosi.sidecar.released;

import io.bucketwright.api.objectstorage.BucketClaim;
import io.bucketwright.api.objectstorage.ReleasedBucket;
import io.bucketwright.api.objectstorage.ReleasedBucketAccess;
import io.bucketwright.cosi.core.BucketStep;
import io.bucketwright.runtime.controller.Step;

/** A step of the controller for Buckets. */
sealed interface ReleasedBucketStep extends Step.Call {

    /** For the bucket in the store. */
    record InStore(ReleasedBucketRecord record, BucketStep step) implements ReleasedBucketStep {}

    record MarkClaimReady(BucketClaim claim, ReleasedBucket bucket) implements ReleasedBucketStep {}

    /** Deletes an access of a claim that is being deleted. */
    record DeleteAccess(ReleasedBucketAccess access) implements ReleasedBucketStep {}

    /** Removes the finalizer of the claim. */
    record RemoveClaimFinalizer(BucketClaim claim) implements ReleasedBucketStep {}
}
