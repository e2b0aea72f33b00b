package io.bucketwright.runtime.objects;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.SecretBuilder;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class MetadataTest {

    private static final String OURS = "bucketwright.io/finalizer";

    private final Secret bare = bare();
    private final Secret full = new SecretBuilder()
            .withNewMetadata()
            .withName("full")
            .withUid("u-1")
            .withDeletionTimestamp("2026-11-15T00:00:00Z")
            .withFinalizers("foreign", OURS)
            .withLabels(Map.of("app", "a"))
            .withAnnotations(Map.of("note", "n", "ours", "o"))
            .withOwnerReferences(Metadata.ownerReference(bare))
            .endMetadata()
            .build();

    private static Secret bare() {
        Secret secret = new SecretBuilder()
                .withNewMetadata()
                .withName("bare")
                .withUid("u-0")
                .endMetadata()
                .build();
        secret.getMetadata().setLabels(null);
        secret.getMetadata().setAnnotations(null);
        secret.getMetadata().setFinalizers(null);
        secret.getMetadata().setOwnerReferences(null);
        return secret;
    }

    @Test
    void whatIsNotSetIsEmpty() {
        assertThat(Metadata.isBeingDeleted(bare)).isFalse();
        assertThat(Metadata.labels(bare)).isEmpty();
        assertThat(Metadata.label(bare, "app")).isEmpty();
        assertThat(Metadata.annotations(bare)).isEmpty();
        assertThat(Metadata.annotation(bare, "note")).isEmpty();
        assertThat(Metadata.finalizers(bare)).isEmpty();
        assertThat(Metadata.owners(bare)).isEmpty();
        assertThat(Metadata.controllerOf(bare)).isEmpty();
    }

    @Test
    void whatIsSetIsRead() {
        assertThat(Metadata.isBeingDeleted(full)).isTrue();
        assertThat(Metadata.label(full, "app")).isEqualTo("a");
        assertThat(Metadata.hasLabels(full, Map.of("app", "a"))).isTrue();
        assertThat(Metadata.hasLabels(full, Map.of("app", "b"))).isFalse();
        assertThat(Metadata.annotation(full, "note")).isEqualTo("n");
        assertThat(Metadata.hasFinalizer(full, OURS)).isTrue();
        assertThat(Metadata.isOwnedBy(full, "u-0")).isTrue();
        assertThat(Metadata.isOwnedBy(full, "u-1")).isFalse();
        assertThat(Metadata.controllerOf(full)).hasValueSatisfying(owner -> {
            assertThat(owner.getApiVersion()).isEqualTo("v1");
            assertThat(owner.getKind()).isEqualTo("Secret");
            assertThat(owner.getName()).isEqualTo("bare");
            assertThat(owner.getBlockOwnerDeletion()).isTrue();
        });
    }

    @Test
    void aPatchContainsOnlyWhatIsMissing() {
        assertThat(Metadata.patch(full)
                        .withFinalizer(OURS)
                        .withLabels(Map.of("app", "a"))
                        .withAnnotations(Map.of("note", "n"))
                        .isEmpty())
                .isTrue();
        assertThat(Metadata.patch(full)
                        .withFinalizer("third")
                        .withLabels(Map.of("app", "b", "tier", "t"))
                        .withAnnotations(Map.of("note", "n", "more", "m"))
                        .fields())
                .isEqualTo(Map.of(
                        "metadata",
                        Map.of(
                                "finalizers", List.of("foreign", OURS, "third"),
                                "labels", Map.of("app", "b", "tier", "t"),
                                "annotations", Map.of("more", "m"))));
    }

    @Test
    void removingKeepsWhatOthersWrote() {
        assertThat(Metadata.withoutFinalizer(full, OURS))
                .isEqualTo(Map.of("metadata", Map.of("finalizers", List.of("foreign"))));
        assertThat(Metadata.withoutFinalizer(bare, OURS)).isEmpty();
        assertThat(Metadata.patch(full)
                        .withoutAnnotation("note")
                        .withoutAnnotation("absent")
                        .fields())
                .isEqualTo(Map.of("metadata", Map.of("annotations", Collections.singletonMap("note", null))));
    }

    @Test
    void inputsDifferWithAnyChangeThatAUserCanMake() {
        Secret relabelled = new SecretBuilder(full)
                .editMetadata()
                .addToLabels("app", "b")
                .endMetadata()
                .build();
        Secret annotated = new SecretBuilder(full)
                .editMetadata()
                .addToAnnotations("ours", "changed")
                .endMetadata()
                .build();
        assertThat(Metadata.inputs(relabelled)).isNotEqualTo(Metadata.inputs(full));
        assertThat(Metadata.inputs(annotated)).isNotEqualTo(Metadata.inputs(full));
        assertThat(Metadata.inputs(annotated, "ours")).isEqualTo(Metadata.inputs(full, "ours"));
    }
}
