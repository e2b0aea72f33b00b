package io.bucketwright.cosi.sidecar.buckets;

import io.bucketwright.runtime.client.JsonPatch;
import java.util.Optional;

/**
 * The driver's answers about a Bucket that are not written yet. Losing them repeats a call.
 *
 * @param connection the connection data of the created bucket
 * @param deleted whether the driver has deleted the bucket
 */
public record InFlightBucket(Optional<JsonPatch> connection, boolean deleted) {

    public static InFlightBucket none() {
        return new InFlightBucket(Optional.empty(), false);
    }
}
