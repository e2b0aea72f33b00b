package io.bucketwright.cosi.sidecar;

import io.bucketwright.runtime.client.JsonPatch;
import java.util.Optional;

/**
 * The driver's answers about a Bucket that are not written yet. Losing them repeats a call.
 *
 * @param connection the connection data of the created bucket
 * @param deleted whether the driver has deleted the bucket
 * @param elsewhere whether the driver has answered that the bucket does not belong to this cluster
 */
record SidecarBucketState(Optional<JsonPatch> connection, boolean deleted, boolean elsewhere) {

    public static final SidecarBucketState NONE = new SidecarBucketState(Optional.empty(), false, false);
}
