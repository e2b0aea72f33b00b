package io.bucketwright.cosi.controller;

import static org.assertj.core.api.Assertions.assertThat;

import io.bucketwright.api.cosi.CosiNames;
import io.fabric8.kubernetes.api.model.OwnerReference;
import io.fabric8.kubernetes.api.model.OwnerReferenceBuilder;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.SecretBuilder;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Tenants can label Secrets so that the controller caches them. */
class CachedSecretTest {

    private static final String MEBIBYTE = "QUJD".repeat(256 * 1024);

    @Test
    void aSecretOfOneMebibyteCostsLittleMemoryWhateverIsLargeInIt() {
        Map<String, String> labels = new HashMap<>();
        Map<String, String> annotations = new HashMap<>();
        for (int i = 0; i < 5000; i++) {
            labels.put("label-" + i, "x".repeat(63));
            annotations.put("annotation-" + i, "x".repeat(50));
        }
        annotations.put(CosiNames.BUCKET_ACCESS_UID, "uid");
        List<OwnerReference> owners = IntStream.range(0, 5000)
                .mapToObj(i -> new OwnerReferenceBuilder()
                        .withKind(i % 2 == 0 ? "BucketAccessRequest" : "Pod")
                        .withName("owner")
                        .withUid("owner-" + i)
                        .build())
                .toList();
        Secret large = secret(annotations, Map.of("a", MEBIBYTE))
                .editMetadata()
                .addToLabels(labels)
                .withOwnerReferences(owners)
                .withFinalizers(labels.keySet().stream().toList())
                .endMetadata()
                .build();
        assertThat(Serialization.asJson(CachedSecret.trimmed(large))).hasSizeLessThan(2000);
        annotations.put(CosiNames.BUCKET_ACCESS_UID, MEBIBYTE);
        assertThat(Serialization.asJson(CachedSecret.trimmed(
                        secret(annotations, Map.of("a", "QQ==")).build())))
                .hasSizeLessThan(2000);
    }

    @Test
    void theDataOfAProvisionersSecretIsKept() {
        Secret secret = secret(Map.of(CosiNames.BUCKET_ACCESS_UID, "uid"), Map.of("a", "QQ=="))
                .build();
        Secret trimmed = CachedSecret.trimmed(secret);
        assertThat(CachedSecret.isComplete(trimmed)).isTrue();
        assertThat(trimmed.getData()).isEqualTo(secret.getData());
    }

    @Test
    void ofACopyOnlyADigestIsKeptWhichShowsEachDifference() {
        Secret copy = secret(Map.of(), Map.of("a", "QQ==", "b", "Qg==")).build();
        Secret trimmed = CachedSecret.trimmed(copy);
        assertThat(CachedSecret.isComplete(trimmed)).isFalse();
        assertThat(trimmed.getData()).isNullOrEmpty();
        assertThat(CachedSecret.digest(trimmed)).isEqualTo(CachedSecret.digest(copy));
        for (Map<String, String> other : List.of(
                Map.of("a", "QQ=="),
                Map.of("a", "Qg==", "b", "QQ=="),
                Map.of("a", "QQ==", "c", "Qg=="),
                Map.<String, String>of())) {
            assertThat(CachedSecret.digest(
                            CachedSecret.trimmed(secret(Map.of(), other).build())))
                    .as("%s", other)
                    .isNotEqualTo(CachedSecret.digest(copy));
        }
    }

    private static SecretBuilder secret(Map<String, String> annotations, Map<String, String> data) {
        return new SecretBuilder()
                .withNewMetadata()
                .withNamespace("team")
                .withName("keys")
                .withUid("secret-uid")
                .withResourceVersion("1")
                .withLabels(Map.of(CosiNames.BUCKET_ACCESS_UID, "uid"))
                .withAnnotations(annotations)
                .endMetadata()
                .withData(data);
    }
}
