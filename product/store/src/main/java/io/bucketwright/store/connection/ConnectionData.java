package io.bucketwright.store.connection;

import static io.bucketwright.store.connection.ConnectionDataKey.ACCESS_KEY_ID;
import static io.bucketwright.store.connection.ConnectionDataKey.AWS_ACCESS_KEY_ID;
import static io.bucketwright.store.connection.ConnectionDataKey.AWS_ENDPOINT_URL;
import static io.bucketwright.store.connection.ConnectionDataKey.AWS_REGION;
import static io.bucketwright.store.connection.ConnectionDataKey.AWS_SECRET_ACCESS_KEY;
import static io.bucketwright.store.connection.ConnectionDataKey.AZURE_STORAGE_ACCOUNT;
import static io.bucketwright.store.connection.ConnectionDataKey.AZURE_STORAGE_CONNECTION_STRING;
import static io.bucketwright.store.connection.ConnectionDataKey.AZURE_STORAGE_CONTAINER;
import static io.bucketwright.store.connection.ConnectionDataKey.AZURE_STORAGE_SAS_TOKEN;
import static io.bucketwright.store.connection.ConnectionDataKey.AZURE_STORAGE_SERVICE_ENDPOINT;
import static io.bucketwright.store.connection.ConnectionDataKey.BUCKET_ENDPOINT;
import static io.bucketwright.store.connection.ConnectionDataKey.BUCKET_HOST;
import static io.bucketwright.store.connection.ConnectionDataKey.BUCKET_NAME;
import static io.bucketwright.store.connection.ConnectionDataKey.BUCKET_PORT;
import static io.bucketwright.store.connection.ConnectionDataKey.BUCKET_REGION;
import static io.bucketwright.store.connection.ConnectionDataKey.BUCKET_SSL;
import static io.bucketwright.store.connection.ConnectionDataKey.BUCKET_SUBREGION;
import static io.bucketwright.store.connection.ConnectionDataKey.CA_BUNDLE;
import static io.bucketwright.store.connection.ConnectionDataKey.GOOGLE_CLOUD_PROJECT;
import static io.bucketwright.store.connection.ConnectionDataKey.GOOGLE_SERVICE_ACCOUNT_JSON;
import static io.bucketwright.store.connection.ConnectionDataKey.SECRET_ACCESS_KEY;

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

    /** Omitted if another key is renamed to their name. */
    private static final Set<ConnectionDataKey> YIELDING = Set.of(AWS_ENDPOINT_URL, AWS_REGION, CA_BUNDLE);

    public ConnectionData {
        config = Collections.unmodifiableSortedMap(new TreeMap<>(config));
        secret = Collections.unmodifiableSortedMap(new TreeMap<>(secret));
    }

    /**
     * Converts the result of a store. A pure function.
     *
     * @throws Invalid if an additional key is malformed or reserved, if two values get the same key, or if there are too
     *     many keys
     */
    public static ConnectionData of(ProvisionedBucket bucket, KeyRenames renames) {
        SortedMap<String, String> config = new TreeMap<>();
        SortedMap<String, SecretValue> secret = new TreeMap<>();
        connection(bucket).forEach((key, value) -> {
            if (!isReplaced(key, renames)) {
                put(config, renames.apply(key.key()), value);
            }
        });
        credentials(bucket).forEach((key, value) -> put(secret, renames.apply(key.key()), value));
        bucket.extraConfig().forEach((key, value) -> putExtra(config, key, value));
        bucket.extraSecret().forEach((key, value) -> putExtra(secret, key, value));
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
            put(more, renames.apply(CA_BUNDLE.key()), pem);
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
    private static boolean isReplaced(ConnectionDataKey key, KeyRenames renames) {
        return YIELDING.contains(key)
                && !renames.names().containsKey(key.key())
                && renames.names().containsValue(key.key());
    }

    private static Map<ConnectionDataKey, String> connection(ProvisionedBucket bucket) {
        Map<ConnectionDataKey, String> config = new TreeMap<>();
        Connection connection = bucket.connection();
        Endpoint endpoint = connection.endpoint();
        config.put(BUCKET_NAME, connection.bucket().text());
        config.put(BUCKET_HOST, endpoint.host());
        config.put(BUCKET_PORT, Integer.toString(endpoint.port()));
        config.put(BUCKET_SSL, Boolean.toString(endpoint.secure()));
        config.put(BUCKET_ENDPOINT, endpoint.uri().toString());
        // Written even if empty, as Rook and NooBaa do: a pod that references a missing key does not start.
        config.put(BUCKET_REGION, "");
        config.put(BUCKET_SUBREGION, "");
        switch (connection) {
            case Connection.S3 s3 -> {
                config.put(BUCKET_REGION, s3.region());
                config.put(BUCKET_SUBREGION, s3.subRegion());
                config.put(AWS_ENDPOINT_URL, endpoint.uri().toString());
                if (!s3.region().isEmpty()) {
                    // SDKs reject an empty one.
                    config.put(AWS_REGION, s3.region());
                }
            }
            case Connection.Azure azure -> {
                config.put(AZURE_STORAGE_ACCOUNT, azure.account());
                config.put(AZURE_STORAGE_CONTAINER, azure.bucket().text());
                config.put(AZURE_STORAGE_SERVICE_ENDPOINT, azure.serviceUrl());
            }
            case Connection.Gcs gcs -> {
                config.put(GOOGLE_CLOUD_PROJECT, gcs.project());
                if (bucket.credentials() instanceof Credentials.AccessKey) {
                    // An HMAC key is for clients of S3, which need a region and get the one that Google documents.
                    config.put(AWS_ENDPOINT_URL, endpoint.uri().toString());
                    config.put(AWS_REGION, "auto");
                }
            }
        }
        return config;
    }

    private static Map<ConnectionDataKey, SecretValue> credentials(ProvisionedBucket bucket) {
        return switch (bucket.credentials()) {
            case Credentials.AccessKey key ->
                Map.of(
                        ACCESS_KEY_ID, SecretValue.of(key.id()),
                        SECRET_ACCESS_KEY, key.secret(),
                        AWS_ACCESS_KEY_ID, SecretValue.of(key.id()),
                        AWS_SECRET_ACCESS_KEY, key.secret());
            case Credentials.SasToken sas -> azure(bucket.connection(), sas.token());
            case Credentials.ServiceAccountKey account -> Map.of(GOOGLE_SERVICE_ACCOUNT_JSON, account.json());
            case Credentials.None _ -> Map.of();
        };
    }

    private static Map<ConnectionDataKey, SecretValue> azure(Connection connection, SecretValue token) {
        if (!(connection instanceof Connection.Azure azure)) {
            return Map.of(AZURE_STORAGE_SAS_TOKEN, token);
        }
        SecretValue connectionString =
                SecretValue.of("BlobEndpoint=" + azure.serviceUrl() + ";SharedAccessSignature=" + token.reveal());
        return Map.of(
                AZURE_STORAGE_SAS_TOKEN, token,
                AZURE_STORAGE_CONNECTION_STRING, connectionString);
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

    private static <V> void putExtra(Map<String, V> map, String key, V value) {
        ConnectionDataKey.checkSyntax(key);
        if (ConnectionDataKey.isKnown(key)) {
            throw new Invalid("key " + InputText.quote(key) + " is reserved");
        }
        put(map, key, value);
    }
}
