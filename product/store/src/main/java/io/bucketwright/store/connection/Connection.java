package io.bucketwright.store.connection;

import io.bucketwright.store.access.BucketName;
import java.util.HashMap;
import java.util.Map;

/**
 * How an application connects to its bucket. Contains no secrets.
 *
 * @param bucket the bucket or container
 * @param values what the protocol of the store needs in addition, by the keys that applications read
 */
public record Connection(BucketName bucket, Endpoint endpoint, Map<String, String> values) {

    public Connection {
        values = Map.copyOf(values);
    }

    /**
     * A connection with the S3 protocol.
     *
     * @param region empty if the store has none
     */
    public static Connection s3(BucketName bucket, Endpoint endpoint, String region) {
        Map<String, String> values = new HashMap<>();
        values.put(ConnectionDataKey.BUCKET_REGION.key(), region);
        values.put(ConnectionDataKey.AWS_ENDPOINT_URL.key(), endpoint.toString());
        if (!region.isEmpty()) {
            // SDKs reject an empty one.
            values.put(ConnectionDataKey.AWS_REGION.key(), region);
        }
        return new Connection(bucket, endpoint, values);
    }
}
