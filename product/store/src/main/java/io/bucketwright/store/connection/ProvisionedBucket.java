package io.bucketwright.store.connection;

import java.util.Map;

/**
 * The result of provisioning a bucket or granting access to it.
 *
 * @param state what the store created, for people and tools. Contains no secret and is not needed for the deletion
 */
public record ProvisionedBucket(Connection connection, Credentials credentials, Map<String, String> state) {

    public ProvisionedBucket {
        state = Map.copyOf(state);
    }

    public ProvisionedBucket(Connection connection, Credentials credentials) {
        this(connection, credentials, Map.of());
    }
}
