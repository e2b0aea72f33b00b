package io.bucketwright.store.gcs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.bucketwright.store.errors.StoreException.Invalid;
import io.bucketwright.store.options.BucketOption.Cors;
import io.bucketwright.store.options.BucketOption.Lifecycle;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Lifecycle and CORS rules of S3 as rules of Cloud Storage. */
final class StorageRulesTest {

    @Test
    void eachActionOfARuleBecomesARule() {
        assertThat(lifecycle("""
                        {"Rules": [
                          {"ID": "logs", "Status": "Enabled", "Filter": {"Prefix": "logs/"}, "Expiration": {"Days": 30},
                           "AbortIncompleteMultipartUpload": {"DaysAfterInitiation": 2},
                           "Transitions": [{"Days": 10, "StorageClass": "COLDLINE"}]},
                          {"Prefix": "", "NoncurrentVersionExpiration": {"NoncurrentDays": 5, "NewerNoncurrentVersions": 3}},
                          {"Status": "Disabled", "Expiration": {"Days": 1}}
                        ]}""").toString()).isEqualTo("""
                        {"rule":[{"action":{"type":"Delete"},"condition":{"matchesPrefix":["logs/"],"age":30,"isLive":true}},\
                        {"action":{"type":"AbortIncompleteMultipartUpload"},"condition":{"matchesPrefix":["logs/"],"age":2}},\
                        {"action":{"type":"SetStorageClass","storageClass":"COLDLINE"},\
                        "condition":{"matchesPrefix":["logs/"],"age":10,"isLive":true}},\
                        {"action":{"type":"Delete"},"condition":{"daysSinceNoncurrentTime":5,"numNewerVersions":4}}]}""");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "[{\"ID\": \"empty\"}]",
                "[{\"Expiration\": {\"Date\": \"2030-01-01T00:00:00Z\"}}]",
                "[{\"Expiration\": {\"Days\": 1, \"ExpiredObjectDeleteMarker\": true}}]",
                "[{\"Expiration\": {}}]",
                "[{\"AbortIncompleteMultipartUpload\": {}}]",
                "[{\"Filter\": {\"Tag\": {\"Key\": \"a\", \"Value\": \"b\"}}, \"Expiration\": {\"Days\": 1}}]",
                "[{\"Filter\": {\"ObjectSizeLessThan\": 1}, \"Expiration\": {\"Days\": 1}}]",
                "[{\"Transitions\": [{\"Days\": 1, \"StorageClass\": \"GLACIER\"}]}]",
                "[{\"Transitions\": [{\"Date\": \"2030-01-01T00:00:00Z\", \"StorageClass\": \"ARCHIVE\"}]}]",
                "[{\"NoncurrentVersionTransitions\": [{\"StorageClass\": \"ARCHIVE\"}]}]",
            })
    void whatHasNoEquivalentIsRejected(String lifecycle) {
        assertThatThrownBy(() -> lifecycle(lifecycle))
                .isInstanceOf(Invalid.class)
                .hasMessageStartingWith("lifecycle");
    }

    @Test
    void corsRulesHaveOneListOfHeaders() {
        assertThat(cors("""
                        {"CORSRules": [{"AllowedMethods": ["GET"], "AllowedOrigins": ["https://example.com"],
                         "AllowedHeaders": ["x-b", "x-a"], "ExposeHeaders": ["etag", "x-a"], "MaxAgeSeconds": 60}]}""").toString()).isEqualTo("""
                        [{"origin":["https://example.com"],"method":["GET"],"responseHeader":["etag","x-a","x-b"],\
                        "maxAgeSeconds":60}]""");
    }

    private static ObjectNode lifecycle(String json) {
        return StorageRules.of(Lifecycle.parse(json));
    }

    private static ArrayNode cors(String json) {
        return StorageRules.of(Cors.parse(json));
    }
}
