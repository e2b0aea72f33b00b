package io.bucketwright.cosi.sidecar.driver;

import io.bucketwright.store.access.BucketName;
import io.bucketwright.store.connection.Connection;
import io.bucketwright.store.connection.ConnectionData;
import io.bucketwright.store.connection.ConnectionDataKey;
import io.bucketwright.store.connection.Credentials;
import io.bucketwright.store.connection.Endpoint;
import io.bucketwright.store.connection.KeyRenames;
import io.bucketwright.store.connection.ProvisionedBucket;
import io.bucketwright.store.connection.SecretValue;
import io.bucketwright.store.errors.StoreException.Invalid;
import java.util.HashMap;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The flat keys and values of an application's Secret, the same for every dialect of drivers. */
public final class ApplicationKeys {

    private static final Logger LOG = LoggerFactory.getLogger(ApplicationKeys.class);

    private ApplicationKeys() {}

    /**
     * The keys of ObjectBucketClaims, and those that SDKs read beside them.
     *
     * @param bucket the name of the bucket for applications
     */
    public static Map<String, SecretValue> of(AccountCredentials credentials, String bucket) {
        return switch (credentials) {
            case AccountCredentials.Named named -> named.values();
            case AccountCredentials.S3Key key -> s3(key, bucket);
            case AccountCredentials.AzureToken token ->
                AzureAddress.find(token.token())
                        .map(address -> azure(address, new BucketName(bucket)))
                        .orElseGet(() -> azureWithoutAddress(token.token(), bucket));
        };
    }

    private static Map<String, SecretValue> s3(AccountCredentials.S3Key key, String bucket) {
        try {
            Endpoint endpoint = Endpoint.parse(key.endpoint());
            Connection connection = Connection.s3(new BucketName(bucket), endpoint, key.region());
            Credentials pair = new Credentials.AccessKey(key.accessKeyId(), key.secretKey()).credentials();
            Map<String, SecretValue> values = new HashMap<>(all(connection, pair));
            put(values, ConnectionDataKey.AWS_ENDPOINT_URL_S3, endpoint.toString());
            put(values, ConnectionDataKey.BUCKET_PATH_STYLE, Boolean.toString(!isAmazon(endpoint)));
            putUnlessEmpty(values, ConnectionDataKey.AWS_DEFAULT_REGION, key.region());
            return values;
        } catch (Invalid e) {
            LOG.debug("The driver reports no endpoint of bucket {} that is a URL", bucket, e);
            return s3WithoutEndpoint(key, bucket);
        }
    }

    /** Stores of others may not resolve host names with a bucket in front, and accept it in the path. */
    private static boolean isAmazon(Endpoint endpoint) {
        return endpoint.host().endsWith(".amazonaws.com") || endpoint.host().endsWith(".amazonaws.com.cn");
    }

    /** Applications get what is known. The endpoint may have a path, or no scheme. */
    private static Map<String, SecretValue> s3WithoutEndpoint(AccountCredentials.S3Key key, String bucket) {
        Map<String, SecretValue> values = new HashMap<>();
        put(values, ConnectionDataKey.BUCKET_NAME, bucket);
        put(values, ConnectionDataKey.BUCKET_ENDPOINT, key.endpoint());
        put(values, ConnectionDataKey.BUCKET_REGION, key.region());
        put(values, ConnectionDataKey.ACCESS_KEY_ID, key.accessKeyId());
        put(values, ConnectionDataKey.AWS_ACCESS_KEY_ID, key.accessKeyId());
        values.put(ConnectionDataKey.SECRET_ACCESS_KEY.key(), key.secretKey());
        values.put(ConnectionDataKey.AWS_SECRET_ACCESS_KEY.key(), key.secretKey());
        putUnlessEmpty(values, ConnectionDataKey.AWS_REGION, key.region());
        putUnlessEmpty(values, ConnectionDataKey.AWS_DEFAULT_REGION, key.region());
        return values;
    }

    private static Map<String, SecretValue> azure(AzureAddress address, BucketName bucket) {
        Connection connection = new Connection(
                bucket,
                address.endpoint(),
                Map.of(
                        ConnectionDataKey.AZURE_STORAGE_ACCOUNT.key(), address.account(),
                        ConnectionDataKey.AZURE_STORAGE_CONTAINER.key(), bucket.text(),
                        ConnectionDataKey.AZURE_STORAGE_SERVICE_ENDPOINT.key(), address.serviceUrl()));
        Credentials credentials = new Credentials(
                bucket.text(),
                Map.of(
                        ConnectionDataKey.AZURE_STORAGE_SAS_TOKEN.key(),
                        address.signature(),
                        ConnectionDataKey.AZURE_STORAGE_CONNECTION_STRING.key(),
                        SecretValue.of("BlobEndpoint=" + address.serviceUrl() + ";SharedAccessSignature="
                                + address.signature().reveal())));
        return all(connection, credentials);
    }

    private static Map<String, SecretValue> azureWithoutAddress(SecretValue token, String bucket) {
        Map<String, SecretValue> values = new HashMap<>();
        put(values, ConnectionDataKey.BUCKET_NAME, bucket);
        put(values, ConnectionDataKey.AZURE_STORAGE_CONTAINER, bucket);
        values.put(ConnectionDataKey.AZURE_STORAGE_SAS_TOKEN.key(), token);
        return values;
    }

    private static Map<String, SecretValue> all(Connection connection, Credentials credentials) {
        return ConnectionData.of(new ProvisionedBucket(connection, credentials), KeyRenames.none())
                .withAllInSecret()
                .secret();
    }

    /** SDKs reject an empty region. */
    private static void putUnlessEmpty(Map<String, SecretValue> values, ConnectionDataKey key, String value) {
        if (!value.isEmpty()) {
            put(values, key, value);
        }
    }

    private static void put(Map<String, SecretValue> values, ConnectionDataKey key, String value) {
        values.put(key.key(), SecretValue.of(value));
    }
}
