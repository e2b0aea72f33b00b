package io.bucketwright.cosi.v1alpha2.controller;

import io.bucketwright.cosi.v1alpha2.V1alpha2Bucket;
import io.bucketwright.cosi.v1alpha2.V1alpha2BucketClass;
import io.bucketwright.cosi.v1alpha2.V1alpha2Claim;
import java.util.List;

/** What the controller does for a claim, one write each. */
sealed interface V1alpha2ClaimStep {

    record AddFinalizer(V1alpha2Claim claim) implements V1alpha2ClaimStep {}

    record CreateBucket(V1alpha2Claim claim, V1alpha2BucketClass bucketClass) implements V1alpha2ClaimStep {}

    /** Binds a Bucket that an administrator reserved. */
    record BindBucket(V1alpha2Claim claim, V1alpha2Bucket bucket) implements V1alpha2ClaimStep {}

    /**
     * Writes the status.
     *
     * @param error message; empty if there is none
     */
    record WriteStatus(V1alpha2Claim claim, String bucketName, boolean ready, List<String> protocols, String error)
            implements V1alpha2ClaimStep {}

    /** Permits the sidecar to delete the Bucket. */
    record AnnotateBucket(V1alpha2Bucket bucket) implements V1alpha2ClaimStep {}

    record DeleteBucket(V1alpha2Bucket bucket) implements V1alpha2ClaimStep {}

    /**
     * Releases the claim.
     *
     * @param confirm whether to read first that there is no Bucket, because the cache may be old
     */
    record RemoveFinalizer(V1alpha2Claim claim, boolean confirm) implements V1alpha2ClaimStep {}
}
