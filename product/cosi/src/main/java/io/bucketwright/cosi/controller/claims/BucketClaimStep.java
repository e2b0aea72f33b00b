package io.bucketwright.cosi.controller.claims;

import io.bucketwright.api.objectstorage.BucketClaim;
import io.bucketwright.api.objectstorage.ReleasedBucket;
import io.bucketwright.api.objectstorage.ReleasedBucketClass;

/** One step for a BucketClaim: at most one write. */
sealed interface BucketClaimStep {

    BucketClaim claim();

    /** Adds the finalizer of the claim. */
    record Protect(BucketClaim claim) implements BucketClaimStep {}

    /** Writes the status of the claim. {@code ready} is false only if it is not true already. */
    record UpdateStatus(BucketClaim claim, String bucketName, boolean ready) implements BucketClaimStep {}

    /** Creates the Bucket of the claim. */
    record Create(BucketClaim claim, ReleasedBucketClass bucketClass) implements BucketClaimStep {}

    /** Writes the claim into the existing Bucket that is reserved for it. */
    record Bind(BucketClaim claim, ReleasedBucket bucket) implements BucketClaimStep {}

    /** Deletes the Bucket. The sidecar then deletes the bucket, and removes the finalizer of the claim. */
    record Delete(BucketClaim claim, ReleasedBucket bucket) implements BucketClaimStep {}

    /** Removes the finalizer of the claim; the Bucket stays. */
    record Release(BucketClaim claim, ReleasedBucket bucket) implements BucketClaimStep {}

    /** Removes the finalizer of a claim without Bucket. */
    record RemoveFinalizer(BucketClaim claim) implements BucketClaimStep {}

    /** Remembers since when the claim waits. */
    record Wait(BucketClaim claim, String reason) implements BucketClaimStep {}

    /** Records an event. */
    record Report(BucketClaim claim, String reason, String message, boolean warning) implements BucketClaimStep {}

    /** Records that the sidecar has made the claim ready. */
    record ReportReady(BucketClaim claim, ReleasedBucket bucket) implements BucketClaimStep {}
}
