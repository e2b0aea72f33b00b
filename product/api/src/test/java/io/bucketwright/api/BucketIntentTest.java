package io.bucketwright.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;

import io.fabric8.kubernetes.api.model.ObjectReferenceBuilder;
import java.util.Map;
import org.junit.jupiter.api.Test;

class BucketIntentTest {
    private final BucketIntent intent = BucketIntent.of(
            "bucketwright.io/bucket",
            new BucketClassRef("versity", "class-uid", Map.of("region", "eu-west-1")),
            new ObjectReferenceBuilder()
                    .withNamespace("gallery")
                    .withName("photos")
                    .withUid("claim-uid")
                    .build(),
            BucketOrigin.EXISTING,
            "photos-1",
            ReclaimPolicy.SUSPEND);

    @Test
    void theIntentIsParsed() {
        assertThat(intent.supported()).isTrue();
        assertThat(intent.bucketOrigin()).contains(BucketOrigin.EXISTING);
        assertThat(intent.policy()).contains(ReclaimPolicy.SUSPEND);
        assertThat(intent.claimUid()).isEqualTo("claim-uid");
        assertThat(intent.parameters()).containsEntry("region", "eu-west-1");
    }

    @Test
    void theIntentIsReadFromTheAdditionalState() {
        ObjectBucketSpec spec = spec(intent.toState());
        assertThat(spec.recordedIntent()).contains(intent);
    }

    @Test
    void theSerializedIntentEqualsTheGoldenText() {
        assertThat(intent.toState()).containsOnly(entry("bucketwright.io/intent", """
                        {"version":1,"provisioner":"bucketwright.io/bucket","storageClassName":"versity",\
                        "storageClassUid":"class-uid","parameters":{"region":"eu-west-1"},"origin":"Existing",\
                        "bucketName":"photos-1","reclaimPolicy":"Suspend","claimNamespace":"gallery",\
                        "claimName":"photos","claimUid":"claim-uid"}"""));
    }

    @Test
    void theFieldWinsOverTheAdditionalState() {
        ObjectBucketSpec spec = spec(Map.of(
                        ObjectBucketNames.INTENT_STATE, "{\"version\": 1, \"bucketName\": \"other\"}"))
                .with("intent", intent);
        assertThat(spec.recordedIntent()).contains(intent);
    }

    @Test
    void aNewerVersionIsNotSupported() {
        BucketIntent newer =
                Samples.bucket("bucket-of-tomorrow").getSpec().recordedIntent().orElseThrow();
        assertThat(newer.supported()).isFalse();
    }

    @Test
    void aMalformedRecordIsPresentButNotSupported() {
        for (String damaged : new String[] {"{", "no json", "[]", "{\"version\": \"x\"}", "{}"}) {
            ObjectBucketSpec spec = spec(Map.of(ObjectBucketNames.INTENT_STATE, damaged));
            assertThat(spec.recordedIntent())
                    .as(damaged)
                    .hasValueSatisfying(read -> assertThat(read.supported()).isFalse());
        }
    }

    @Test
    void theSecretDigestIsReadFromTheAdditionalState() {
        assertThat(spec(Map.of(ObjectBucketNames.SECRET_DIGEST_STATE, "sha256:1"))
                        .recordedSecretDigest())
                .contains("sha256:1");
        assertThat(ObjectBucketSpec.EMPTY.recordedSecretDigest()).isEmpty();
    }

    private static ObjectBucketSpec spec(Map<String, String> state) {
        return ObjectBucketSpec.EMPTY.with("additionalState", state);
    }
}
