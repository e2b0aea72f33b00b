package io.bucketwright.cosi.driver;

import io.bucketwright.cosi.proto.v1alpha1.AzureBlob;
import io.bucketwright.cosi.proto.v1alpha1.GCS;
import io.bucketwright.cosi.proto.v1alpha1.Protocol;
import io.bucketwright.cosi.proto.v1alpha1.S3;
import io.bucketwright.cosi.proto.v1alpha1.S3SignatureVersion;
import io.bucketwright.cosi.wire.ParameterKeys;
import io.bucketwright.store.connection.ConnectionDataKey;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** Connection data in the spelling of {@code cosi.v1alpha1}. */
final class ReleasedConnection {

    private static final String DEFAULT_REGION = "us-east-1";

    private static final String S3_PROTOCOL = "s3";
    private static final String AZURE_PROTOCOL = "azureBlob";
    private static final Map<String, String> KINDS = Map.of(S3_PROTOCOL, "s3", AZURE_PROTOCOL, "azure");

    private ReleasedConnection() {}

    static Protocol info(String protocol, Map<String, String> connection) {
        return switch (protocol) {
            case S3_PROTOCOL ->
                Protocol.newBuilder()
                        .setS3(S3.newBuilder()
                                .setRegion(get(connection, ConnectionDataKey.BUCKET_REGION))
                                .setSignatureVersion(S3SignatureVersion.S3V4))
                        .build();
            case AZURE_PROTOCOL ->
                Protocol.newBuilder()
                        .setAzureBlob(AzureBlob.newBuilder()
                                .setStorageAccount(get(connection, ConnectionDataKey.AZURE_STORAGE_ACCOUNT)))
                        .build();
            default ->
                Protocol.newBuilder()
                        .setGcs(GCS.newBuilder().setProjectId(get(connection, ConnectionDataKey.GOOGLE_CLOUD_PROJECT)))
                        .build();
        };
    }

    /** The key of the credentials in an answer; empty if the protocol has none for them. */
    static Optional<String> kind(String protocol) {
        return Optional.ofNullable(KINDS.get(protocol));
    }

    /**
     * The entries of a token of Azure, or else of an access key; with the name of the bucket for applications. As Microsoft's
     * driver does, the token is the whole URL of the container: the Secret has no other field for it. It is valid until it is
     * revoked, so there is no expiry.
     */
    static Map<String, String> credentials(String protocol, Map<String, String> data) {
        Map<String, String> entries = new HashMap<>();
        entries.put(ParameterKeys.BUCKET_NAME, get(data, ConnectionDataKey.BUCKET_NAME));
        if (protocol.equals(AZURE_PROTOCOL)) {
            entries.put(
                    "accessToken",
                    get(data, ConnectionDataKey.AZURE_STORAGE_SERVICE_ENDPOINT) + "/"
                            + get(data, ConnectionDataKey.AZURE_STORAGE_CONTAINER) + "?"
                            + get(data, ConnectionDataKey.AZURE_STORAGE_SAS_TOKEN));
            return entries;
        }
        entries.put("accessKeyID", get(data, ConnectionDataKey.AWS_ACCESS_KEY_ID));
        entries.put("accessSecretKey", get(data, ConnectionDataKey.AWS_SECRET_ACCESS_KEY));
        entries.put("endpoint", get(data, ConnectionDataKey.BUCKET_ENDPOINT));
        entries.put("region", region(data));
        return entries;
    }

    /** Clients need a region to sign requests, even if the store has none. */
    private static String region(Map<String, String> data) {
        return Stream.of(ConnectionDataKey.BUCKET_REGION, ConnectionDataKey.AWS_REGION)
                .map(key -> get(data, key))
                .filter(region -> !region.isEmpty())
                .findFirst()
                .orElse(DEFAULT_REGION);
    }

    private static String get(Map<String, String> data, ConnectionDataKey key) {
        return data.getOrDefault(key.key(), "");
    }
}
