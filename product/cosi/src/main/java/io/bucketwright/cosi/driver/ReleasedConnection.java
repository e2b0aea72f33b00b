package io.bucketwright.cosi.driver;

import io.bucketwright.cosi.proto.DataProtocol;
import io.bucketwright.cosi.proto.v1alpha1.AzureBlob;
import io.bucketwright.cosi.proto.v1alpha1.GCS;
import io.bucketwright.cosi.proto.v1alpha1.Protocol;
import io.bucketwright.cosi.proto.v1alpha1.S3;
import io.bucketwright.cosi.proto.v1alpha1.S3SignatureVersion;
import io.bucketwright.cosi.wire.ParameterKeys;
import io.bucketwright.store.connection.ConnectionDataKey;
import java.util.HashMap;
import java.util.Map;

/** Connection data in the spelling of {@code cosi.v1alpha1}. */
final class ReleasedConnection {

    private static final String DEFAULT_REGION = "us-east-1";

    private ReleasedConnection() {}

    static Protocol info(DataProtocol protocol, Map<String, String> connection) {
        return switch (protocol) {
            case S3 ->
                Protocol.newBuilder()
                        .setS3(S3.newBuilder()
                                .setRegion(get(connection, ConnectionDataKey.BUCKET_REGION))
                                .setSignatureVersion(S3SignatureVersion.S3V4))
                        .build();
            case AZURE_BLOB ->
                Protocol.newBuilder()
                        .setAzureBlob(AzureBlob.newBuilder()
                                .setStorageAccount(get(connection, ConnectionDataKey.AZURE_STORAGE_ACCOUNT)))
                        .build();
            case GCS ->
                Protocol.newBuilder()
                        .setGcs(GCS.newBuilder().setProjectId(get(connection, ConnectionDataKey.GOOGLE_CLOUD_PROJECT)))
                        .build();
            case PROTOCOL_UNSPECIFIED, UNRECOGNIZED -> Protocol.getDefaultInstance();
        };
    }

    /** The entries of a token of Azure, or else of an access key; with the name of the bucket for applications. */
    static Map<String, String> credentials(DataProtocol protocol, Map<String, String> data) {
        Map<String, String> entries =
                new HashMap<>(protocol == DataProtocol.AZURE_BLOB ? token(data) : accessKey(data));
        entries.put(ParameterKeys.BUCKET_NAME, get(data, ConnectionDataKey.BUCKET_NAME));
        return entries;
    }

    private static Map<String, String> token(Map<String, String> data) {
        return Map.of("accessToken", get(data, ConnectionDataKey.AZURE_STORAGE_SAS_TOKEN));
    }

    private static Map<String, String> accessKey(Map<String, String> data) {
        return Map.of(
                "accessKeyID",
                get(data, ConnectionDataKey.AWS_ACCESS_KEY_ID),
                "accessSecretKey",
                get(data, ConnectionDataKey.AWS_SECRET_ACCESS_KEY),
                "endpoint",
                get(data, ConnectionDataKey.BUCKET_ENDPOINT),
                "region",
                region(data));
    }

    /** Clients need a region to sign requests, even if the store has none. */
    private static String region(Map<String, String> data) {
        String region = get(data, ConnectionDataKey.BUCKET_REGION);
        return region.isEmpty() ? DEFAULT_REGION : region;
    }

    private static String get(Map<String, String> data, ConnectionDataKey key) {
        return data.getOrDefault(key.key(), "");
    }
}
