package io.bucketwright.cosi.sidecar.dialect;

import io.bucketwright.api.cosi.Protocol;
import io.bucketwright.cosi.proto.v1alpha2.AzureCredentialInfo;
import io.bucketwright.cosi.proto.v1alpha2.CredentialInfo;
import io.bucketwright.cosi.proto.v1alpha2.DriverCreateBucketResponse;
import io.bucketwright.cosi.proto.v1alpha2.DriverGrantBucketAccessResponse;
import io.bucketwright.cosi.proto.v1alpha2.GcsCredentialInfo;
import io.bucketwright.cosi.proto.v1alpha2.ObjectProtocolAndBucketInfo;
import io.bucketwright.cosi.proto.v1alpha2.S3BucketInfo;
import io.bucketwright.cosi.proto.v1alpha2.S3CredentialInfo;
import io.bucketwright.cosi.sidecar.driver.AccountCredentials;
import io.bucketwright.cosi.sidecar.driver.CreatedBucket;
import io.bucketwright.cosi.sidecar.driver.DriverAnswer;
import io.bucketwright.cosi.sidecar.driver.DriverOrder;
import io.bucketwright.cosi.sidecar.driver.GrantedAccess;
import io.bucketwright.cosi.wire.ParameterKeys;
import io.bucketwright.store.connection.ConnectionDataKey;
import io.bucketwright.store.connection.SecretValue;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Reads the responses of {@code sigs.k8s.io.cosi.v1alpha2}. */
final class V1alpha2Answers {

    private V1alpha2Answers() {}

    static DriverAnswer<CreatedBucket> created(DriverOrder.Create order, DriverCreateBucketResponse response) {
        if (response.getBucketId().isEmpty()) {
            return DriverAnswer.invalidResponse(
                    "The response of the driver to DriverCreateBucket contains no bucket_id."
                            + " Fix the driver; the sidecar retries.");
        }
        boolean served = order.protocol()
                .map(protocol -> serves(response.getProtocols(), protocol))
                .orElse(true);
        return served
                ? new DriverAnswer.Done<>(new CreatedBucket(
                        Optional.of(response.getBucketId()),
                        connection(order.bucket().parameters(), response.getProtocols())))
                : DriverAnswer.invalidResponse("The driver created the bucket, but not for the requested protocol "
                        + order.protocol().map(Protocol::toString).orElse("")
                        + ". Fix the driver; the sidecar retries.");
    }

    private static boolean serves(ObjectProtocolAndBucketInfo info, Protocol protocol) {
        return switch (protocol) {
            case S3 -> info.hasS3();
            case AZURE_BLOB -> info.hasAzure();
            case GCS -> info.hasGcs();
        };
    }

    /** Connection data of a bucket; the parameters of the class may name what the driver leaves out. */
    private static Map<String, String> connection(Map<String, String> parameters, ObjectProtocolAndBucketInfo info) {
        Map<String, String> data = new HashMap<>();
        put(
                data,
                ConnectionDataKey.BUCKET_ENDPOINT.name(),
                or(info.getS3().getEndpoint(), parameters, ParameterKeys.ENDPOINT));
        put(
                data,
                ConnectionDataKey.BUCKET_REGION.name(),
                or(info.getS3().getRegion(), parameters, ParameterKeys.REGION));
        put(
                data,
                ConnectionDataKey.AZURE_STORAGE_ACCOUNT.name(),
                or(info.getAzure().getStorageAccount(), parameters, ParameterKeys.STORAGE_ACCOUNT));
        put(data, ConnectionDataKey.GOOGLE_CLOUD_PROJECT.name(), info.getGcs().getProjectId());
        return data;
    }

    static DriverAnswer<GrantedAccess> granted(DriverOrder.Grant order, DriverGrantBucketAccessResponse response) {
        if (response.getAccountId().isEmpty()) {
            return invalid("no account_id");
        }
        List<String> buckets = response.getBucketsList().stream()
                .map(DriverGrantBucketAccessResponse.BucketInfo::getBucketId)
                .toList();
        if (!buckets.equals(List.of(order.bucket().id()))) {
            return invalid("information about other buckets than the requested one");
        }
        DriverAnswer<AccountCredentials> read =
                credentials(order, response.getBuckets(0).getBucketInfo(), response.getCredentials());
        return read.then(
                credentials -> new DriverAnswer.Done<>(new GrantedAccess(response.getAccountId(), credentials)));
    }

    private static DriverAnswer<AccountCredentials> credentials(
            DriverOrder.Grant order, ObjectProtocolAndBucketInfo info, CredentialInfo credentials) {
        return switch (V1alpha2Requests.requiredProtocol(order)) {
            case S3 -> s3(order.bucket().parameters(), info.getS3(), credentials.getS3());
            case AZURE_BLOB -> azure(credentials.getAzure());
            case GCS -> gcs(info, credentials.getGcs());
        };
    }

    private static DriverAnswer<AccountCredentials> s3(
            Map<String, String> parameters, S3BucketInfo info, S3CredentialInfo key) {
        return key.getAccessKeyId().isEmpty() || key.getAccessSecretKey().isEmpty()
                ? invalid("no access_key_id or no access_secret_key")
                : new DriverAnswer.Done<>(new AccountCredentials.S3Key(
                        info.getBucketId(),
                        or(info.getEndpoint(), parameters, ParameterKeys.ENDPOINT),
                        or(info.getRegion(), parameters, ParameterKeys.REGION),
                        key.getAccessKeyId(),
                        SecretValue.of(key.getAccessSecretKey())));
    }

    private static DriverAnswer<AccountCredentials> azure(AzureCredentialInfo token) {
        return token.getAccessToken().isEmpty()
                ? invalid("no access_token")
                : new DriverAnswer.Done<>(new AccountCredentials.AzureToken(
                        SecretValue.of(token.getAccessToken()), time(token.getExpiryTimestamp())));
    }

    /** HMAC keys have the keys of S3, as those of our own store have. */
    private static DriverAnswer<AccountCredentials> gcs(ObjectProtocolAndBucketInfo info, GcsCredentialInfo key) {
        if (key.getAccessId().isEmpty() || key.getAccessSecret().isEmpty()) {
            return invalid("no access_id or no access_secret");
        }
        Map<String, String> plain = new HashMap<>();
        put(plain, ConnectionDataKey.BUCKET_NAME.key(), info.getGcs().getBucketName());
        put(plain, ConnectionDataKey.GOOGLE_CLOUD_PROJECT.key(), info.getGcs().getProjectId());
        put(plain, ConnectionDataKey.AWS_ACCESS_KEY_ID.key(), key.getAccessId());
        put(plain, ConnectionDataKey.AWS_SECRET_ACCESS_KEY.key(), key.getAccessSecret());
        put(plain, ParameterKeys.GCS_PRIVATE_KEY_NAME, key.getPrivateKeyName());
        put(plain, ParameterKeys.GCS_SERVICE_ACCOUNT, key.getServiceAccount());
        Map<String, SecretValue> values = new HashMap<>();
        plain.forEach((name, value) -> values.put(name, SecretValue.of(value)));
        return new DriverAnswer.Done<>(new AccountCredentials.Named(values));
    }

    /** Empty if it is absent, or not a time of ISO 8601. */
    static Optional<Instant> time(String text) {
        try {
            return text.isEmpty()
                    ? Optional.empty()
                    : Optional.of(OffsetDateTime.parse(text).toInstant());
        } catch (DateTimeException e) {
            return Optional.empty();
        }
    }

    private static <T> DriverAnswer<T> invalid(String what) {
        return DriverAnswer.invalidResponse(
                "The driver granted access and returned " + what + ". Fix the driver; the sidecar retries.");
    }

    private static String or(String value, Map<String, String> parameters, String key) {
        return value.isEmpty() ? parameters.getOrDefault(key, "") : value;
    }

    private static void put(Map<String, String> data, String key, String value) {
        if (!value.isEmpty()) {
            data.put(key, value);
        }
    }
}
