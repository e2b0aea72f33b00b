package io.bucketwright.runtime.objects;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.Namespace;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.OwnerReference;
import io.fabric8.kubernetes.api.model.OwnerReferenceBuilder;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Tenants write the metadata of objects that the controllers cache. */
class MetadataTrimTest {

    private static final String OWN = "example.com/own";
    private static final MetadataTrim TRIM =
            new MetadataTrim("Claim", Set.of("wanted", "absent"), Set.of("note", "long"), 100);

    @Test
    void whatIsReadIsKept() {
        ConfigMap object = map(Map.of("wanted", "yes"), List.of(owner("Claim", "uid-1", true)), List.of("a/b", OWN));
        ObjectMeta kept = TRIM.withFinalizers(object, OWN);
        assertThat(kept.getLabels()).isEqualTo(Map.of("wanted", "yes"));
        assertThat(kept.getAnnotations()).isEqualTo(Map.of("note", "text"));
        assertThat(kept.getOwnerReferences()).isEqualTo(object.getMetadata().getOwnerReferences());
        assertThat(kept.getFinalizers()).containsExactly("a/b", OWN);
        assertThat(List.of(kept.getNamespace(), kept.getName(), kept.getUid(), kept.getResourceVersion()))
                .containsExactly("ns", "a", "uid", "7");
        assertThat(kept.getDeletionTimestamp()).isEqualTo("2026-11-16T00:00:00Z");
        assertThat(MetadataTrim.hasAllFinalizers(with(kept))).isTrue();
    }

    @Test
    void ofANamespaceOnlyItsIdentityIsKept() {
        Namespace namespace = new NamespaceBuilder()
                .withNewMetadata()
                .withName("team")
                .withUid("uid")
                .withResourceVersion("7")
                .withCreationTimestamp("2026-11-16T00:00:00Z")
                .endMetadata()
                .build();
        Namespace large = new NamespaceBuilder(namespace)
                .editMetadata()
                .addToAnnotations("notes", "x".repeat(200_000))
                .addToLabels("team", "a")
                .endMetadata()
                .withNewStatus()
                .withPhase("Active")
                .endStatus()
                .build();
        assertThat(MetadataTrim.NAMESPACE.apply(large)).isEqualTo(namespace);
    }

    @Test
    void whatIsKeptIsBoundedAndTheControllerAndTheOwnFinalizerAreAlwaysInIt() {
        Map<String, String> labels = new HashMap<>(Map.of("wanted", "yes"));
        IntStream.range(0, 5000).forEach(i -> labels.put("label-" + i, "x".repeat(63)));
        List<OwnerReference> owners = Stream.concat(
                        Stream.concat(
                                Stream.of(owner("Claim", "x".repeat(1 << 20), false)),
                                IntStream.range(0, 5000)
                                        .mapToObj(i -> owner(i % 2 == 0 ? "Claim" : "Pod", "uid-" + i, false))),
                        Stream.of(owner("Claim", "mine", true)))
                .toList();
        List<String> finalizers = Stream.concat(
                        IntStream.range(0, 5000).mapToObj(i -> "example.com/finalizer-" + i), Stream.of(OWN))
                .toList();
        ConfigMap kept = with(TRIM.withFinalizers(map(labels, owners, finalizers), OWN));
        assertThat(Serialization.asJson(kept)).hasSizeLessThan(2000);
        assertThat(Metadata.isOwnedBy(kept, "mine")).isTrue();
        assertThat(Metadata.hasFinalizer(kept, OWN)).isTrue();
        assertThat(MetadataTrim.hasAllFinalizers(kept)).isFalse();
    }

    private static OwnerReference owner(String kind, String uid, boolean controller) {
        return new OwnerReferenceBuilder()
                .withApiVersion("v1")
                .withKind(kind)
                .withName("owner")
                .withUid(uid)
                .withController(controller)
                .build();
    }

    private static ConfigMap with(ObjectMeta metadata) {
        return new ConfigMapBuilder().withMetadata(metadata).build();
    }

    private static ConfigMap map(Map<String, String> labels, List<OwnerReference> owners, List<String> finalizers) {
        return new ConfigMapBuilder()
                .withNewMetadata()
                .withNamespace("ns")
                .withName("a")
                .withUid("uid")
                .withResourceVersion("7")
                .withDeletionTimestamp("2026-11-16T00:00:00Z")
                .withLabels(labels)
                .withAnnotations(Map.of("note", "text", "long", "x".repeat(101), "other", "x"))
                .withOwnerReferences(owners)
                .withFinalizers(finalizers)
                .endMetadata()
                .build();
    }
}
