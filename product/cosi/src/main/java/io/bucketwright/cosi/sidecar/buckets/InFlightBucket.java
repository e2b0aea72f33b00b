package io.bucketwright.cosi.sidecar.buckets;

import io.bucketwright.runtime.client.JsonPatch;
import java.util.Optional;

/**
 * The driver's answers about a Bucket that are not written yet. Losing them repeats a call.
 *
 * @param connection the connection data of the created bucket
 * @param deleted whether the driver has deleted the bucket
 * @param elsewhere whether the driver has answered that the bucket does not belong to this cluster
 */
public record InFlightBucket(Optional<JsonPatch> connection, boolean deleted, boolean elsewhere) {

    public static InFlightBucket none() {
        return new InFlightBucket(Optional.empty(), false, false);
    }
}
