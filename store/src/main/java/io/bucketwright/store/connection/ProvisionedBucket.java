package io.bucketwright.store.connection;




import java.util.Map;

/**
 * What an application gets, and what the caller keeps for later.
 *
 * @param extraConfig the store's own additions to what an application may read openly
 * @param extraSecret the store's own additions to what it gets in secret
 * @param state for people and tools: what the store calls things. Never needed to undo them, never secret
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
