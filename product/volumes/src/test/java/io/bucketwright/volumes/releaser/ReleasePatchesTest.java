package io.bucketwright.volumes.releaser;

import static org.assertj.core.api.Assertions.assertThat;

import io.bucketwright.runtime.client.JsonPatch;
import io.bucketwright.volumes.ControllerId;
import io.fabric8.kubernetes.api.model.PersistentVolume;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The patches change only the intended fields of a volume. */
class ReleasePatchesTest {

    private static final String LABEL = "/metadata/labels/reclaimable-pv-releaser.kubernetes.io~1managed-by";
    private static final String ANNOTATIONS = "/metadata/annotations/reclaimable-pv-releaser.kubernetes.io~1";

    private final ReleaserSettings settings = new ReleaserSettings(new ControllerId("me"), true, "scrubs");
    private final Map<String, String> labels = new HashMap<>();
    private final Map<String, String> annotations = new HashMap<>();

    /** reclaimable-pv-releaser failed for a volume without labels. */
    @Test
    void anAssociationAddsTheFirstLabelAndKeepsOthers() {
        assertThat(text(ReleasePatches.associate(volume(), settings)))
                .containsExactly(
                        "test /spec/claimRef/uid claim-uid",
                        "add /metadata/labels {reclaimable-pv-releaser.kubernetes.io/managed-by=me}",
                        "add /metadata/annotations {reclaimable-pv-releaser.kubernetes.io/associated-claim=claim-uid}");
        labels.put("a", "b");
        annotations.put("c", "d");
        assertThat(text(ReleasePatches.associate(volume(), settings)))
                .containsExactly(
                        "test /spec/claimRef/uid claim-uid",
                        "add " + LABEL + " me",
                        "add " + ANNOTATIONS + "associated-claim claim-uid");
    }

    /** reclaimable-pv-releaser updated the whole volume. A label is removed only if the releaser added it. */
    @Test
    void aReleaseRemovesTheClaimAndOnlyAnnotationsOfBinderAndReleaser() {
        labels.put(ReleaserNames.MANAGED_BY, "me");
        assertThat(text(ReleasePatches.release(volume(), settings)))
                .containsExactly("test /spec/claimRef/uid claim-uid", "remove /spec/claimRef");
        annotations.put(ReleaserNames.ASSOCIATED, "claim-uid");
        annotations.put(ReleaserNames.BOUND_BY_CONTROLLER, "yes");
        annotations.put("pv.kubernetes.io/provisioned-by", "somebody");
        assertThat(text(ReleasePatches.release(volume(), settings)))
                .containsExactly(
                        "test /spec/claimRef/uid claim-uid",
                        "remove /spec/claimRef",
                        "remove " + ANNOTATIONS + "associated-claim",
                        "remove " + LABEL,
                        "remove /metadata/annotations/pv.kubernetes.io~1bound-by-controller");
    }

    /**
     * reclaimable-pv-releaser wrote the label reclaimable-pv-releaser/managed-by, and removed it at the release if it
     * associated volumes automatically.
     */
    @Test
    void aReleaseRemovesTheLabelOfThePredecessorUnlessAssociationIsManual() {
        labels.put(ReleaserNames.LEGACY_MANAGED_BY, "me");
        assertThat(text(ReleasePatches.release(volume(), settings)))
                .contains("remove /metadata/labels/reclaimable-pv-releaser~1managed-by");
        ReleaserSettings manual = new ReleaserSettings(new ControllerId("me"), false, "scrubs");
        assertThat(text(ReleasePatches.release(volume(), manual))).noneMatch(operation -> operation.contains("labels"));
        labels.put(ReleaserNames.LEGACY_MANAGED_BY, "other");
        assertThat(text(ReleasePatches.release(volume(), settings)))
                .noneMatch(operation -> operation.contains("labels"));
    }

    /** With the uid of the new claim, a claim in a namespace that was created again meanwhile cannot bind the volume. */
    @Test
    void aSoftReleaseNamesTheUidOfTheNewClaim() {
        assertThat(text(ReleasePatches.rebind(volume(), "new-uid", "ns-uid", settings)))
                .containsExactly(
                        "test /spec/claimRef/uid claim-uid",
                        "replace /spec/claimRef/uid new-uid",
                        "remove /spec/claimRef/resourceVersion",
                        "add /metadata/annotations"
                                + " {reclaimable-pv-releaser.kubernetes.io/claim-namespace-uid=v1/new-uid/ns-uid,"
                                + " reclaimable-pv-releaser.kubernetes.io/former-claim=v1/me/claim-uid}");
        PersistentVolume without = volume();
        without.getSpec().getClaimRef().setResourceVersion(null);
        assertThat(text(ReleasePatches.rebind(without, "new-uid", "ns-uid", settings)))
                .hasSize(3)
                .doesNotContain("remove /spec/claimRef/resourceVersion");
    }

    /** Kubernetes removed only the uid when it bound the successor to another volume. */
    @Test
    void theFormerClaimIsRestoredWithItsNamespace() {
        annotations.put(ReleaserNames.NAMESPACE, "v1/new-uid/ns-uid");
        annotations.put(ReleaserNames.FORMER_CLAIM, "v1/me/older-uid");
        PersistentVolume volume = volume();
        volume.getSpec().getClaimRef().setUid(null);
        assertThat(text(ReleasePatches.restoreFormerClaim(volume, new RecordedClaim("me", "older-uid"))))
                .containsExactly(
                        "add /spec/claimRef/uid older-uid",
                        "remove " + ANNOTATIONS + "former-claim",
                        "add " + ANNOTATIONS + "claim-namespace-uid v1/older-uid/ns-uid");
        assertThat(text(ReleasePatches.forgetFormerClaim(volume())))
                .containsExactly("test /spec/claimRef/uid claim-uid", "remove " + ANNOTATIONS + "former-claim");
    }

    @Test
    void aScrubReservesTheVolumeAndRecordsThePreviousClaim() {
        assertThat(text(ReleasePatches.reserve(volume(), settings)))
                .hasSize(3)
                .contains("test /spec/claimRef/uid claim-uid")
                .contains(
                        "add /metadata/annotations" + " {reclaimable-pv-releaser.kubernetes.io/scrub=v1/me/claim-uid}")
                .anySatisfy(operation -> assertThat(operation)
                        .startsWith("replace /spec/claimRef ")
                        .contains("name=scrub-pv-uid", "namespace=scrubs")
                        .doesNotContain("uid=claim"));
        annotations.put(ReleaserNames.SCRUB, "v1/me/older");
        assertThat(text(ReleasePatches.reserve(volume(), settings)))
                .contains("add " + ANNOTATIONS + "scrub v1/me/older");
    }

    @Test
    void theReleaseAfterAScrubRemovesItsAnnotations() {
        annotations.put(ReleaserNames.SCRUB, "v1/me/older");
        annotations.put(ReleaserNames.SCRUBBED, "true");
        assertThat(text(ReleasePatches.release(volume(), settings)))
                .contains("remove " + ANNOTATIONS + "scrub", "remove " + ANNOTATIONS + "scrubbed");
    }

    private static List<String> text(JsonPatch patch) {
        return patch.operations().stream()
                .map(operation -> operation.get("op") + " " + operation.get("path")
                        + (operation.containsKey("value") ? " " + operation.get("value") : ""))
                .toList();
    }

    private PersistentVolume volume() {
        PersistentVolume volume = Serialization.unmarshal("""
                metadata: {name: pv, uid: pv-uid}
                spec: {claimRef: {namespace: ns, name: claim, uid: claim-uid, resourceVersion: "7"}}
                """, PersistentVolume.class);
        volume.getMetadata().setLabels(labels);
        volume.getMetadata().setAnnotations(annotations);
        return volume;
    }
}
