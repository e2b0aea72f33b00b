package io.bucketwright.cosi.sidecar.driver;

import java.util.Map;
import java.util.Optional;

/**
 * A driver's answer to the order to create a bucket.
 *
 * @param id by which further orders name the bucket. Empty if the dialect has no ids: then the name is the id, and the
 *     connection data is complete
 * @param connection how to connect to the bucket, under the keys of connection data. With an id it may be incomplete
 */
public record CreatedBucket(Optional<String> id, Map<String, String> connection) {

    public CreatedBucket {
        connection = Map.copyOf(connection);
    }
}
