package io.bucketwright.cosi.sidecar;

import io.bucketwright.cosi.sidecar.driver.AccountCredentials;
import io.bucketwright.cosi.sidecar.driver.BackendBucket;
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

/** The keys and values of an application's Secret, the same for every dialect of drivers. */
final class ApplicationKeys {

    private static final Logger LOG = LoggerFactory.getLogger(ApplicationKeys.class);

    private ApplicationKeys() {}

    static Map<String, SecretValue> of(AccountCredentials credentials, BackendBucket bucket) {
        return switch (credentials) {
            case AccountCredentials.Named named -> named.values();
            case AccountCredentials.S3Key key -> s3(key, bucket.name());
            case AccountCredentials.AzureToken token -> azure(token, bucket);
        };
    }

    private static Map<String, SecretValue> s3(AccountCredentials.S3Key key, String bucket) {
        try {
            Connection connection = Connection.s3(new BucketName(bucket), Endpoint.parse(key.endpoint()), key.region());
            Credentials pair = new Credentials.AccessKey(key.accessKeyId(), key.secretKey()).credentials();
            return ConnectionData.of(new ProvisionedBucket(connection, pair), KeyRenames.none())
                    .withAllInSecret()
                    .secret();
        } catch (Invalid e) {
            LOG.debug("The driver reports no endpoint of bucket {} that is a URL", bucket, e);
            return s3WithoutEndpoint(key, bucket);
        }
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
        if (!key.region().isEmpty()) {
            put(values, ConnectionDataKey.AWS_REGION, key.region());
        }
        return values;
    }

    private static Map<String, SecretValue> azure(AccountCredentials.AzureToken token, BackendBucket bucket) {
        Map<String, SecretValue> values = new HashMap<>();
        put(values, ConnectionDataKey.BUCKET_NAME, bucket.name());
        put(values, ConnectionDataKey.AZURE_STORAGE_CONTAINER, bucket.name());
        values.put(ConnectionDataKey.AZURE_STORAGE_SAS_TOKEN.key(), token.token());
        return values;
    }

    private static void put(Map<String, SecretValue> values, ConnectionDataKey key, String value) {
        values.put(key.key(), SecretValue.of(value));
    }
}
