package io.bucketwright.store.connection;

import io.bucketwright.store.errors.InputText;
import io.bucketwright.store.errors.StoreException.Invalid;
import java.util.Collections;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The keys and values that an application reads, the same for every API through which it requests a bucket.
 *
 * @param config the contents of the ConfigMap
 * @param secret the contents of the Secret
 */
public record ConnectionData(SortedMap<String, String> config, SortedMap<String, SecretValue> secret) {

    /** The most keys that a ConfigMap or a Secret gets. */
    public static final int MOST_KEYS = 64;

    /** The most characters that all keys of a ConfigMap or a Secret have together. */
    public static final int LONGEST_KEYS = 4096;

    private static final String CA_BUNDLE = ConnectionDataKey.CA_BUNDLE.key();

    /** Omitted if another key is renamed to their name. */
    private static final Set<String> YIELDING =
            Set.of(ConnectionDataKey.AWS_ENDPOINT_URL.key(), ConnectionDataKey.AWS_REGION.key(), CA_BUNDLE);

    public ConnectionData {
        config = Collections.unmodifiableSortedMap(new TreeMap<>(config));
        secret = Collections.unmodifiableSortedMap(new TreeMap<>(secret));
    }

    /**
     * Converts the result of a store. A pure function.
     *
     * @throws Invalid if a key of the store is malformed or reserved, if two values get the same key, or if there are too
     *     many keys
     */
    public static ConnectionData of(ProvisionedBucket bucket, KeyRenames renames) {
        SortedMap<String, String> config = new TreeMap<>();
        SortedMap<String, SecretValue> secret = new TreeMap<>();
        all(bucket.connection()).forEach((key, value) -> {
            if (!isReplaced(key, renames)) {
                put(config, renames.apply(key), value);
            }
        });
        bucket.credentials().values().forEach((key, value) -> {
            checkKey(key, true);
            put(secret, renames.apply(key), value);
        });
        checkSize(config.keySet());
        checkSize(secret.keySet());
        return new ConnectionData(config, secret);
    }

    /**
     * With the CA certificates that applications need to trust the store.
     *
     * @param pem certificates in PEM format; empty if the store needs none
     * @throws Invalid if a value has that key already, or if there are too many keys
     */
    public ConnectionData withCaBundle(String pem, KeyRenames renames) {
        SortedMap<String, String> more = new TreeMap<>(config);
        if (!pem.isEmpty() && !isReplaced(CA_BUNDLE, renames)) {
            put(more, renames.apply(CA_BUNDLE), pem);
            checkSize(more.keySet());
        }
        return new ConnectionData(more, secret);
    }

    /**
     * With everything in the Secret.
     *
     * @throws Invalid if a value of the ConfigMap and one of the Secret have the same key, or if there are too many keys
     */
    public ConnectionData withAllInSecret() {
        SortedMap<String, SecretValue> all = new TreeMap<>(secret);
        config.forEach((key, value) -> put(all, key, SecretValue.of(value)));
        checkSize(all.keySet());
        return new ConnectionData(config, all);
    }

    /** A class may have renamed another key to that name before the key existed: it keeps its meaning. */
    private static boolean isReplaced(String key, KeyRenames renames) {
        return YIELDING.contains(key)
                && !renames.names().containsKey(key)
                && renames.names().containsValue(key);
    }

    private static Map<String, String> all(Connection connection) {
        Map<String, String> config = new TreeMap<>();
        Endpoint endpoint = connection.endpoint();
        config.put(ConnectionDataKey.BUCKET_NAME.key(), connection.bucket().text());
        config.put(ConnectionDataKey.BUCKET_HOST.key(), endpoint.host());
        config.put(ConnectionDataKey.BUCKET_PORT.key(), Integer.toString(endpoint.port()));
        config.put(ConnectionDataKey.BUCKET_SSL.key(), Boolean.toString(endpoint.secure()));
        config.put(ConnectionDataKey.BUCKET_ENDPOINT.key(), endpoint.toString());
        connection.values().forEach((key, value) -> {
            checkKey(key, false);
            put(config, key, value);
        });
        // Written even if empty, as Rook and NooBaa do: a pod that references a missing key does not start.
        config.putIfAbsent(ConnectionDataKey.BUCKET_REGION.key(), "");
        config.putIfAbsent(ConnectionDataKey.BUCKET_SUBREGION.key(), "");
        return config;
    }

    private static <V> void put(Map<String, V> map, String key, V value) {
        if (!key.isEmpty() && map.put(key, value) != null) {
            throw new Invalid("two values have the key " + InputText.quote(key));
        }
    }

    private static void checkSize(Set<String> keys) {
        int length = keys.stream().mapToInt(String::length).sum();
        if (keys.size() > MOST_KEYS || length > LONGEST_KEYS) {
            throw new Invalid("the bucket has " + keys.size() + " keys with " + length + " characters; at most "
                    + MOST_KEYS + " keys with " + LONGEST_KEYS
                    + " characters fit into a ConfigMap or a Secret: use fewer or shorter keys");
        }
    }

    /** A known key keeps its meaning: it is in the Secret, or it is not secret. */
    private static void checkKey(String key, boolean secret) {
        ConnectionDataKey.checkSyntax(key);
        if (key.equals(CA_BUNDLE) || (ConnectionDataKey.isKnown(key) && ConnectionDataKey.isSecret(key) != secret)) {
            throw new Invalid("key " + InputText.quote(key) + " is reserved");
        }
    }
}
