package io.bucketwright.cosi.sidecar.buckets;

import static org.assertj.core.api.Assertions.assertThat;

import io.bucketwright.api.cosi.Bucket;
import io.bucketwright.api.cosi.BucketProtocol;
import io.bucketwright.api.cosi.Protocol;
import io.bucketwright.cosi.bench.Specs;
import io.bucketwright.cosi.proto.AzureContext;
import io.bucketwright.cosi.proto.CreateBucketRequest;
import io.bucketwright.cosi.proto.CreateBucketResponse;
import io.bucketwright.cosi.proto.GenericContext;
import io.bucketwright.cosi.proto.ProviderContext;
import io.bucketwright.cosi.proto.S3Context;
import io.bucketwright.cosi.sidecar.driver.DriverAnswer;
import io.bucketwright.cosi.sidecar.driver.SidecarSamples;
import io.bucketwright.runtime.client.JsonPatch;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class ConnectionFieldsTest {

    @Test
    void theContextOfS3IsCompleteIfTheClassNamesTheEndpoint() {
        ProviderContext context = ProviderContext.newBuilder()
                .setS3Context(S3Context.newBuilder().setLocation("north"))
                .build();
        assertThat(fields(Protocol.S3, Map.of("endpoint", "https://s3.example.com"), context))
                .isEqualTo(Map.of(
                        "/spec/protocol/s3/endpoint", "https://s3.example.com", "/spec/protocol/s3/region", "north"));
        assertThat(fields(Protocol.S3, Map.of(), context)).isEmpty();
    }

    @Test
    void theContextOfAzureIsCompleteIfTheClassNamesTheStorageAccount() {
        ProviderContext context = ProviderContext.newBuilder()
                .setAzureContext(AzureContext.getDefaultInstance())
                .build();
        assertThat(fields(Protocol.AZURE_BLOB, Map.of("storageAccount", "photos"), context))
                .isEqualTo(Map.of("/spec/protocol/azureBlob/storageAccount", "photos"));
        assertThat(fields(Protocol.AZURE_BLOB, Map.of(), context)).isEmpty();
    }

    @Test
    void optionalFieldsOfTheDesignAreFilled() {
        assertThat(fields(
                        Protocol.S3,
                        Map.of(),
                        generic("BUCKET_ENDPOINT", "http://store.test", "S3_SIGNATURE_VERSION", "S3v4")))
                .containsEntry("/spec/protocol/s3/signatureVersion", "S3v4");
        assertThat(fields(Protocol.GCS, Map.of(), generic("GOOGLE_CLOUD_PROJECT", "p", "GCS_SERVICE_ACCOUNT", "robot")))
                .isEqualTo(Map.of("/spec/protocol/gcs/projectId", "p", "/spec/protocol/gcs/serviceAccount", "robot"));
    }

    private static ProviderContext generic(String key, String value, String otherKey, String otherValue) {
        return ProviderContext.newBuilder()
                .setGenericContext(
                        GenericContext.newBuilder().putBucketData(key, value).putBucketData(otherKey, otherValue))
                .build();
    }

    /** The fields that are written; none if the answer is not complete. */
    private static Map<String, Object> fields(
            Protocol protocol, Map<String, String> parameters, ProviderContext context) {
        Bucket bucket = SidecarSamples.bucket(spec ->
                Specs.with(spec, "protocol", BucketProtocol.named(protocol, "photos-1"), "parameters", parameters));
        CreateBucketResponse response = CreateBucketResponse.newBuilder()
                .setBucket(io.bucketwright.cosi.proto.Bucket.newBuilder().setProviderContext(context))
                .build();
        Map<String, Object> fields = new TreeMap<>();
        if (ConnectionFields.read(bucket, CreateBucketRequest.getDefaultInstance(), response)
                instanceof DriverAnswer.Done<JsonPatch>(JsonPatch patch)) {
            patch.operations()
                    .forEach(operation -> fields.put(String.valueOf(operation.get("path")), operation.get("value")));
        }
        return fields;
    }
}
