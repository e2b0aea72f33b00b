package io.bucketwright.cosi.sidecar;

import static org.assertj.core.api.Assertions.assertThat;

import io.bucketwright.api.cosi.Bucket;
import io.bucketwright.api.cosi.BucketProtocol;
import io.bucketwright.api.cosi.CosiNames;
import io.bucketwright.api.cosi.Protocol;
import io.bucketwright.cosi.fixture.Specs;
import io.bucketwright.cosi.sidecar.driver.CreatedBucket;
import io.bucketwright.cosi.sidecar.driver.DriverAnswer;
import io.bucketwright.cosi.sidecar.driver.SidecarSamples;
import io.bucketwright.runtime.client.JsonPatch;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class ConnectionFieldsTest {

    @Test
    void optionalFieldsOfTheDesignAreFilled() {
        assertThat(fields(Protocol.S3, created("BUCKET_ENDPOINT", "http://store.test", "S3_SIGNATURE_VERSION", "S3v4")))
                .isEqualTo(Map.of(
                        "/spec/protocol/s3/endpoint",
                        "http://store.test",
                        "/spec/protocol/s3/signatureVersion",
                        "S3v4"));
        assertThat(fields(Protocol.GCS, created("GOOGLE_CLOUD_PROJECT", "p", "GCS_SERVICE_ACCOUNT", "robot")))
                .isEqualTo(Map.of("/spec/protocol/gcs/projectId", "p", "/spec/protocol/gcs/serviceAccount", "robot"));
        assertThat(fields(Protocol.AZURE_BLOB, created("AZURE_STORAGE_ACCOUNT", "photos", "BUCKET_REGION", "north")))
                .isEqualTo(Map.of("/spec/protocol/azureBlob/storageAccount", "photos"));
    }

    @Test
    void anAnswerWithoutIdAndWithoutAddressProvesNothing() {
        for (Protocol protocol : Protocol.values()) {
            assertThat(fields(protocol, new CreatedBucket(Optional.empty(), Map.of("BUCKET_REGION", "north"))))
                    .as(protocol.toString())
                    .isEmpty();
        }
    }

    @Test
    void anIdProvesThatTheBucketExistsAndIsRecordedWithWhatIsKnown() {
        String annotations = "/metadata/annotations";
        assertThat(fields(Protocol.S3, new CreatedBucket(Optional.of("eu/photos-1"), Map.of("BUCKET_REGION", "north"))))
                .isEqualTo(Map.of(
                        annotations, Map.of(CosiNames.BUCKET_ID, "eu/photos-1"), "/spec/protocol/s3/region", "north"));
        assertThat(fields(Protocol.GCS, new CreatedBucket(Optional.of("photos-1"), Map.of())))
                .as("also if it is the name")
                .isEqualTo(Map.of(annotations, Map.of(CosiNames.BUCKET_ID, "photos-1")));
    }

    @Test
    void otherAnnotationsStayBesideTheId() {
        Bucket bucket = bucket(Protocol.S3);
        bucket.getMetadata().setAnnotations(Map.of("example.com/colour", "blue"));
        assertThat(fields(bucket, new CreatedBucket(Optional.of("42"), Map.of())))
                .isEqualTo(Map.of("/metadata/annotations/cosi.io~1bucket-id", "42"));
    }

    private static CreatedBucket created(String key, String value, String otherKey, String otherValue) {
        return new CreatedBucket(Optional.empty(), Map.of(key, value, otherKey, otherValue));
    }

    private static Bucket bucket(Protocol protocol) {
        return SidecarSamples.bucket(spec -> Specs.with(spec, "protocol", BucketProtocol.named(protocol, "photos-1")));
    }

    private static Map<String, Object> fields(Protocol protocol, CreatedBucket created) {
        return fields(bucket(protocol), created);
    }

    /** The fields that are written; none if the answer is not complete. */
    private static Map<String, Object> fields(Bucket bucket, CreatedBucket created) {
        Map<String, Object> fields = new TreeMap<>();
        if (ConnectionFields.of(bucket, created) instanceof DriverAnswer.Done<JsonPatch>(JsonPatch patch)) {
            patch.operations()
                    .forEach(operation -> fields.put(String.valueOf(operation.get("path")), operation.get("value")));
        }
        return fields;
    }
}
