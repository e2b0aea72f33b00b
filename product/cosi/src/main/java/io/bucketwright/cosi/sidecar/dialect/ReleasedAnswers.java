package io.bucketwright.cosi.sidecar.dialect;

import io.bucketwright.api.cosi.Protocol;
import io.bucketwright.cosi.proto.v1alpha1.DriverGrantBucketAccessResponse;
import io.bucketwright.cosi.proto.v1alpha1.S3SignatureVersion;
import io.bucketwright.cosi.sidecar.driver.AccountAuthentication;
import io.bucketwright.cosi.sidecar.driver.AccountCredentials;
import io.bucketwright.cosi.sidecar.driver.DriverAnswer;
import io.bucketwright.cosi.sidecar.driver.DriverOrder;
import io.bucketwright.cosi.sidecar.driver.GrantedAccess;
import io.bucketwright.cosi.wire.ParameterKeys;
import io.bucketwright.runtime.objects.SafeText;
import io.bucketwright.store.connection.ConnectionDataKey;
import io.bucketwright.store.connection.SecretValue;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;
import java.time.temporal.ChronoField;
import java.time.temporal.ChronoUnit;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** Reads the responses of {@code cosi.v1alpha1}. Drivers may leave out the region and the endpoint. */
final class ReleasedAnswers {

    /** How Go prints a time; the name of the zone after it is cut off. */
    private static final DateTimeFormatter GO_TIME = new DateTimeFormatterBuilder()
            .appendPattern("yyyy-MM-dd HH:mm:ss")
            .appendFraction(ChronoField.NANO_OF_SECOND, 0, 9, true)
            .appendPattern(" xx")
            .toFormatter(Locale.ROOT);

    private ReleasedAnswers() {}

    /** Connection data of a bucket; the parameters of the class may name what the driver leaves out. */
    static Map<String, String> connection(
            Map<String, String> parameters, io.bucketwright.cosi.proto.v1alpha1.Protocol info) {
        Map<String, String> data = new HashMap<>();
        put(data, ConnectionDataKey.BUCKET_ENDPOINT.name(), parameters.getOrDefault(ParameterKeys.ENDPOINT, ""));
        put(
                data,
                ConnectionDataKey.BUCKET_REGION.name(),
                or(info.getS3().getRegion(), parameters.getOrDefault(ParameterKeys.REGION, "")));
        put(data, ParameterKeys.S3_SIGNATURE_VERSION, signature(info.getS3().getSignatureVersion()));
        put(
                data,
                ConnectionDataKey.AZURE_STORAGE_ACCOUNT.name(),
                or(
                        info.getAzureBlob().getStorageAccount(),
                        parameters.getOrDefault(ParameterKeys.STORAGE_ACCOUNT, "")));
        put(data, ConnectionDataKey.GOOGLE_CLOUD_PROJECT.name(), info.getGcs().getProjectId());
        put(data, ParameterKeys.GCS_PRIVATE_KEY_NAME, info.getGcs().getPrivateKeyName());
        put(data, ParameterKeys.GCS_SERVICE_ACCOUNT, info.getGcs().getServiceAccount());
        return data;
    }

    static DriverAnswer<GrantedAccess> granted(DriverOrder.Grant order, DriverGrantBucketAccessResponse response) {
        if (response.getAccountId().isEmpty()) {
            return invalid("no account_id");
        }
        if (response.getCredentialsCount() != 1) {
            return invalid(response.getCredentialsCount() + " entries in credentials; there must be one");
        }
        String kind = response.getCredentialsMap().keySet().iterator().next();
        Map<String, String> secrets =
                response.getCredentialsMap().values().iterator().next().getSecretsMap();
        DriverAnswer<AccountCredentials> read = switch (kind) {
            case "s3" -> fits(order, Protocol.S3) ? s3(order, secrets) : otherProtocol(kind);
            case "azure" -> fits(order, Protocol.AZURE_BLOB) ? azure(order, secrets) : otherProtocol(kind);
            default ->
                needsNoKeys(order)
                        ? new DriverAnswer.Done<>(new AccountCredentials.Named(Map.of()))
                        : otherProtocol(kind);
        };
        return read.then(credentials -> new DriverAnswer.Done<>(new GrantedAccess(
                response.getAccountId(), credentials, secrets.getOrDefault(ParameterKeys.BUCKET_NAME, ""))));
    }

    /** The store knows the application by its service account. */
    private static boolean needsNoKeys(DriverOrder.Grant order) {
        return order.account().authentication() == AccountAuthentication.IAM;
    }

    private static boolean fits(DriverOrder.Grant order, Protocol answered) {
        return order.protocol().filter(wanted -> wanted != answered).isEmpty();
    }

    private static DriverAnswer<AccountCredentials> s3(DriverOrder.Grant order, Map<String, String> secrets) {
        // The sample driver, which others were made from, writes the last letter in lower case.
        String id = or(secrets.getOrDefault("accessKeyID", ""), secrets.getOrDefault("accessKeyId", ""));
        String secret = secrets.getOrDefault("accessSecretKey", "");
        if (!needsNoKeys(order) && (id.isEmpty() || secret.isEmpty())) {
            return invalid("no accessKeyID or no accessSecretKey");
        }
        Map<String, String> parameters = order.bucket().parameters();
        return new DriverAnswer.Done<>(new AccountCredentials.S3Key(
                or(secrets.getOrDefault("endpoint", ""), parameters.getOrDefault(ParameterKeys.ENDPOINT, "")),
                or(secrets.getOrDefault("region", ""), parameters.getOrDefault(ParameterKeys.REGION, "")),
                id,
                SecretValue.of(secret)));
    }

    private static DriverAnswer<AccountCredentials> azure(DriverOrder.Grant order, Map<String, String> secrets) {
        String token = secrets.getOrDefault("accessToken", "");
        return token.isEmpty() && !needsNoKeys(order)
                ? invalid("no accessToken")
                : new DriverAnswer.Done<>(new AccountCredentials.AzureToken(
                        SecretValue.of(token), time(secrets.getOrDefault("expiryTs", ""))));
    }

    /**
     * The time of day in Go has a zone and may have a reading of the monotonic clock behind it. Without fractions, as
     * Kubernetes writes times.
     */
    static Optional<Instant> time(String text) {
        String[] parts = text.strip().split(" +", 4);
        if (parts.length < 3) {
            return Optional.empty();
        }
        try {
            return Optional.of(OffsetDateTime.parse(parts[0] + " " + parts[1] + " " + parts[2], GO_TIME)
                    .toInstant()
                    .truncatedTo(ChronoUnit.SECONDS));
        } catch (DateTimeException e) {
            return Optional.empty();
        }
    }

    private static DriverAnswer<AccountCredentials> otherProtocol(String kind) {
        return invalid("credentials for " + SafeText.quoted(kind) + ", which is not the protocol of the bucket");
    }

    private static <T> DriverAnswer<T> invalid(String what) {
        return DriverAnswer.invalidResponse(
                "The driver granted access and returned " + what + ". Fix the driver; the sidecar retries.");
    }

    private static String signature(S3SignatureVersion version) {
        return switch (version) {
            case S3V2 -> "S3v2";
            case S3V4 -> "S3v4";
            case UnknownSignature, UNRECOGNIZED -> "";
        };
    }

    private static void put(Map<String, String> data, String key, String value) {
        if (!value.isEmpty()) {
            data.put(key, value);
        }
    }

    private static String or(String value, String otherwise) {
        return value.isEmpty() ? otherwise : value;
    }
}
