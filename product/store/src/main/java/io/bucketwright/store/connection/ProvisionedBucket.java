package io.bucketwright.store.connection;

import java.util.Map;

/**
 * The result of provisioning a bucket or granting access to it.
 *
 * @param extraConfig additional keys of this store for the ConfigMap
 * @param extraSecret additional keys of this store for the Secret
 * @param state what the store created, for people and tools. Contains no secret and is not needed for the deletion
 */
public record ProvisionedBucket(
        Connection connection,
        Credentials credentials,
        Map<String, String> extraConfig,
        Map<String, SecretValue> extraSecret,
        Map<String, String> state) {

    public ProvisionedBucket {
        extraConfig = Map.copyOf(extraConfig);
        extraSecret = Map.copyOf(extraSecret);
        state = Map.copyOf(state);
    }

    public ProvisionedBucket(Connection connection, Credentials credentials) {
        this(connection, credentials, Map.of(), Map.of(), Map.of());
    }
}
