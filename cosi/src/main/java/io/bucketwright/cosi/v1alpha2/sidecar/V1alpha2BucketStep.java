package io.bucketwright.cosi.v1alpha2.sidecar;

import io.bucketwright.cosi.sidecar.dialect.V1alpha2Orders.ReadyBucket;
import io.bucketwright.cosi.v1alpha2.V1alpha2Bucket;

/** What the sidecar does for a Bucket, one call or write each. */
sealed interface V1alpha2BucketStep {

    record AddFinalizer(V1alpha2Bucket bucket) implements V1alpha2BucketStep {}

    record Provision(V1alpha2Bucket bucket, String inputs) implements V1alpha2BucketStep {}

    record WriteProvisioned(V1alpha2Bucket bucket, ReadyBucket provisioned) implements V1alpha2BucketStep {}

    record Delete(V1alpha2Bucket bucket, String inputs) implements V1alpha2BucketStep {}

    record WriteError(V1alpha2Bucket bucket, String message) implements V1alpha2BucketStep {}

    record RemoveFinalizer(V1alpha2Bucket bucket) implements V1alpha2BucketStep {}
}
