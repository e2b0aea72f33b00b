package io.bucketwright.cosi.v1alpha2.controller;

import io.bucketwright.cosi.v1alpha2.V1alpha2Access;
import io.bucketwright.cosi.v1alpha2.V1alpha2AccessClass;
import io.bucketwright.cosi.v1alpha2.V1alpha2Bucket;
import io.bucketwright.cosi.v1alpha2.V1alpha2Claim;
import java.util.List;
import java.util.Optional;

/**
 * A BucketAccess and what it depends on.
 *
 * @param claims that it names, in its order
 * @param unreferenced claims with the annotation that no other BucketAccess names
 */
record V1alpha2AccessView(
        V1alpha2Access access,
        Optional<V1alpha2AccessClass> accessClass,
        List<NamedClaim> claims,
        List<V1alpha2Claim> unreferenced) {

    /** A claim that the access names. */
    record NamedClaim(
            V1alpha2Access.ClaimAccess named, Optional<V1alpha2Claim> claim, Optional<V1alpha2Bucket> bucket) {}
}
