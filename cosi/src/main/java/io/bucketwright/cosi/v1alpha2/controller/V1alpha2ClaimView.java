package io.bucketwright.cosi.v1alpha2.controller;

import io.bucketwright.cosi.v1alpha2.V1alpha2Bucket;
import io.bucketwright.cosi.v1alpha2.V1alpha2BucketClass;
import io.bucketwright.cosi.v1alpha2.V1alpha2Claim;
import java.util.List;
import java.util.Optional;

/**
 * A claim and what it depends on.
 *
 * @param bucket that the claim is bound to, names, or would create
 * @param accesses names of the BucketAccesses that name the claim
 */
record V1alpha2ClaimView(
        V1alpha2Claim claim,
        Optional<V1alpha2Bucket> bucket,
        Optional<V1alpha2BucketClass> bucketClass,
        List<String> accesses) {}
