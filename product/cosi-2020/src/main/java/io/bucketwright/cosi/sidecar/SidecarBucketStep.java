package io.bucketwright.cosi.sidecar;

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

    /**
     * Ends anonymous access to a bucket that exists, or opens it again as the Bucket requests. CreateBucket does it: COSI has
     * no other call.
     */
    record ChangeAccess(Bucket bucket, boolean open, Map<String, SecretValue> secrets, String inputs)
            implements SidecarBucketStep {
        /** Without the secrets. */
        @Override
        public String toString() {
            return "ChangeAccess of " + bucket.getMetadata().getName() + (open ? " to open" : " to closed");
        }
    }

    /** Writes the connection data to {@code spec.protocol}. */
    record WriteConnection(Bucket bucket, JsonPatch patch) implements SidecarBucketStep {}

    /** Removes the request of an administrator to transfer the bucket: the bucket belongs to this cluster already. */
    record RejectTransfer(Bucket bucket) implements SidecarBucketStep {}

    /** Records beside the request that the bucket does not belong to this cluster, before the transfer changes that. */
    record ConfirmTransfer(Bucket bucket) implements SidecarBucketStep {}

    /** Removes the request, so that the record stays, and permits the namespaces of this cluster. */
    record RecordTransfer(Bucket bucket) implements SidecarBucketStep {}

    record UpdateStatus(Bucket bucket, BucketStatusUpdate update) implements SidecarBucketStep {}
}
