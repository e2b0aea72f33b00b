package io.bucketwright.cosi.sidecar.buckets;

import io.bucketwright.api.cosi.Bucket;
import io.bucketwright.cosi.sidecar.driver.DriverMethod;
import io.bucketwright.runtime.client.JsonPatch;
import io.bucketwright.store.connection.SecretValue;
import java.util.Map;

/** A step of the Bucket controller: one call to the driver, or one write. */
sealed interface SidecarBucketStep {

    /** Calls the driver: CreateBucket, or DeleteBucket, which also deletes the objects in the bucket. */
    record CallDriver(DriverMethod method, Bucket bucket, Map<String, SecretValue> secrets, String inputs)
            implements SidecarBucketStep {}

    /** Writes the connection data to {@code spec.protocol}. */
    record WriteConnection(Bucket bucket, JsonPatch patch) implements SidecarBucketStep {}

    /** Replaces the request of an administrator to transfer the bucket by the record that it was transferred. */
    record RecordTransfer(Bucket bucket) implements SidecarBucketStep {}

    record UpdateStatus(Bucket bucket, BucketStatusUpdate update) implements SidecarBucketStep {}
}
