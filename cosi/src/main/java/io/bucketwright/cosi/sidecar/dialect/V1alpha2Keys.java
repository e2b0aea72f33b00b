package io.bucketwright.cosi.sidecar.dialect;

import io.bucketwright.cosi.proto.v1alpha2.AzureCredentialInfo;
import io.bucketwright.cosi.proto.v1alpha2.CredentialInfo;
import io.bucketwright.cosi.proto.v1alpha2.GcsBucketInfo;
import io.bucketwright.cosi.proto.v1alpha2.GcsCredentialInfo;
import io.bucketwright.cosi.proto.v1alpha2.ObjectProtocolAndBucketInfo;
import io.bucketwright.cosi.proto.v1alpha2.S3AddressingStyle;
import io.bucketwright.cosi.proto.v1alpha2.S3BucketInfo;
import io.bucketwright.cosi.proto.v1alpha2.S3CredentialInfo;
import io.bucketwright.store.connection.SecretValue;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** The keys of Secrets of v1alpha2, one for each value. What the driver leaves out is an empty text. */
final class V1alpha2Keys {

    private V1alpha2Keys() {}

    /** The protocols that a bucket serves. */
    static List<String> protocols(ObjectProtocolAndBucketInfo info) {
        return Stream.of(info.hasS3() ? "S3" : "", info.hasAzure() ? "Azure" : "", info.hasGcs() ? "GCS" : "")
                .filter(name -> !name.isEmpty())
                .toList();
    }

    /** How to connect to a bucket in each protocol that it serves. */
    static Map<String, String> bucket(ObjectProtocolAndBucketInfo info) {
        Map<String, String> values = new LinkedHashMap<>();
        if (info.hasS3()) {
            S3BucketInfo s3 = info.getS3();
            values.put("COSI_S3_BUCKET_ID", s3.getBucketId());
            values.put("COSI_S3_ENDPOINT", s3.getEndpoint());
            values.put("COSI_S3_REGION", s3.getRegion());
            values.put("COSI_S3_ADDRESSING_STYLE", style(s3.getAddressingStyle().getStyle()));
        }
        if (info.hasAzure()) {
            values.put("COSI_AZURE_STORAGE_ACCOUNT", info.getAzure().getStorageAccount());
        }
        if (info.hasGcs()) {
            GcsBucketInfo gcs = info.getGcs();
            values.put("COSI_GCS_PROJECT_ID", gcs.getProjectId());
            values.put("COSI_GCS_BUCKET_NAME", gcs.getBucketName());
        }
        return values;
    }

    /** The credentials of one protocol; empty if there are none. */
    static Map<String, SecretValue> credentials(String protocol, CredentialInfo info) {
        Map<String, SecretValue> values = new LinkedHashMap<>();
        switch (protocol) {
            case "S3" -> {
                S3CredentialInfo s3 = info.getS3();
                if (!s3.getAccessKeyId().isEmpty() && !s3.getAccessSecretKey().isEmpty()) {
                    values.put("COSI_S3_ACCESS_KEY_ID", SecretValue.of(s3.getAccessKeyId()));
                    values.put("COSI_S3_ACCESS_SECRET_KEY", SecretValue.of(s3.getAccessSecretKey()));
                }
            }
            case "Azure" -> {
                AzureCredentialInfo azure = info.getAzure();
                if (!azure.getAccessToken().isEmpty()) {
                    values.put("COSI_AZURE_ACCESS_TOKEN", SecretValue.of(azure.getAccessToken()));
                    values.put("COSI_AZURE_EXPIRY_TIMESTAMP", SecretValue.of(azure.getExpiryTimestamp()));
                }
            }
            default -> {
                GcsCredentialInfo gcs = info.getGcs();
                if (!gcs.getAccessId().isEmpty() && !gcs.getAccessSecret().isEmpty()) {
                    values.put("COSI_GCS_ACCESS_ID", SecretValue.of(gcs.getAccessId()));
                    values.put("COSI_GCS_ACCESS_SECRET", SecretValue.of(gcs.getAccessSecret()));
                    values.put("COSI_GCS_PRIVATE_KEY_NAME", SecretValue.of(gcs.getPrivateKeyName()));
                    values.put("COSI_GCS_SERVICE_ACCOUNT", SecretValue.of(gcs.getServiceAccount()));
                }
            }
        }
        return values;
    }

    private static String style(S3AddressingStyle.Style style) {
        return switch (style) {
            case PATH -> "path";
            case VIRTUAL -> "virtual";
            case UNKNOWN, UNRECOGNIZED -> "";
        };
    }
}
