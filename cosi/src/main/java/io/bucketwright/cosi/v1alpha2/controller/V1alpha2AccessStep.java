package io.bucketwright.cosi.v1alpha2.controller;

import io.bucketwright.cosi.v1alpha2.V1alpha2Access;
import io.bucketwright.cosi.v1alpha2.V1alpha2AccessClass;
import io.bucketwright.cosi.v1alpha2.V1alpha2Claim;
import java.util.List;

/** What the controller does for a BucketAccess, one write each. */
sealed interface V1alpha2AccessStep {

    record AddFinalizer(V1alpha2Access access) implements V1alpha2AccessStep {}

    record AnnotateClaim(V1alpha2Claim claim) implements V1alpha2AccessStep {}

    /** Writes what the sidecar of the driver needs. From then on the sidecar writes the status. */
    record HandOver(V1alpha2Access access, V1alpha2AccessClass accessClass, List<V1alpha2Access.AccessedBucket> buckets)
            implements V1alpha2AccessStep {}

    record WriteError(V1alpha2Access access, String message) implements V1alpha2AccessStep {}

    record ReleaseClaim(V1alpha2Claim claim) implements V1alpha2AccessStep {}

    record RemoveFinalizer(V1alpha2Access access) implements V1alpha2AccessStep {}
}
