package io.bucketwright.volumes.releaser;

import static org.assertj.core.api.Assertions.assertThat;

import io.bucketwright.runtime.ObjectKey;
import io.bucketwright.runtime.controller.Decision;
import io.bucketwright.runtime.controller.Step;
import io.bucketwright.volumes.ControllerId;
import io.fabric8.kubernetes.api.model.Namespace;
import io.fabric8.kubernetes.api.model.PersistentVolume;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.storage.StorageClassBuilder;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The inputs of a decision about one volume, which tests change. */
abstract class ReleaseDecisionTestCase {
    final Map<String, String> labels = new HashMap<>();
    final Map<String, String> annotations = new HashMap<>(Map.of(ReleaserNames.BOUND_BY_CONTROLLER, "yes"));
    final Map<String, String> ofClass = new HashMap<>();
    boolean automatic = true;
    boolean managedClaim;
    String phase = "Released";
    String policy = "Retain";
    String claimUid = "claim-uid";
    String scrubNamespace = "scrubs";
    String volumeMode = "Filesystem";

    @Nullable
    String deleted;

    @Nullable
    PersistentVolumeClaim claim = claim("new-uid", "2026-02-03T00:00:00Z");

    @Nullable
    Namespace namespace = namespace("ns-uid", "2026-01-01T00:00:00Z");

    @Nullable
    PersistentVolumeClaim scrubClaim;

    @Nullable
    Pod scrubPod;

    void given(boolean managed, @Nullable String label, @Nullable String classId, @Nullable String classMode) {
        managedClaim = managed;
        put(labels, ReleaserNames.MANAGED_BY, label);
        put(ofClass, ReleaserNames.CONTROLLER_ID, classId);
        put(ofClass, ReleaserNames.MODE, classMode);
    }

    void assertDecided(String decision) {
        assertThat(decided()).isEqualTo(decision);
    }

    /** The volume is being scrubbed, its claim exists and is bound. */
    PersistentVolumeClaim startScrub() {
        ofClass.put(ReleaserNames.SCRUB_IMAGE, "busybox");
        annotations.put(ReleaserNames.SCRUB, "v1/me/older");
        PersistentVolumeClaim claim = ScrubObjects.claim(volume(), settings());
        claim.getMetadata().setUid("scrub-uid");
        claimUid = "scrub-uid";
        phase = "Bound";
        scrubClaim = claim;
        return claim;
    }

    Pod scrubPod() {
        return ScrubObjects.pod(volume(), "busybox", ScrubPodOptions.parse(""), settings());
    }

    String decided() {
        return switch (decide()) {
            case Decision.Finish<Step> _ -> "nothing";
            case Decision.Act<Step>(Step.Report _) -> "problem";
            case Decision.Act<Step>(Step.Write write) ->
                switch (write.name()) {
                    case "Create", "Delete" ->
                        write.name() + " " + write.object().getKind();
                    case "Release" -> note(write).startsWith("Scrubbed") ? "Release SCRUB" : "Release FULL";
                    default -> write.name();
                };
            case Decision.Act<Step>(Step call) -> call.getClass().getSimpleName();
        };
    }

    private static String note(Step.Write write) {
        return write.event().map(Step.Event::note).orElse("");
    }

    /** What the problem says that is reported. */
    String problem() {
        return ((Step.Report) step()).problem().message();
    }

    /** The object that is created. */
    <T> T created(Class<T> type) {
        return type.cast(((Step.Write) step()).object());
    }

    private Step step() {
        return ((Decision.Act<Step>) decide()).step();
    }

    Decision<Step> decide() {
        return ReleaseDecision.decide(
                settings(),
                new ReleaseObservation(
                        new ObjectKey("", "pv", "pv-uid"),
                        volume(),
                        new StorageClassBuilder()
                                .withNewMetadata()
                                .withName("class")
                                .withAnnotations(ofClass)
                                .endMetadata()
                                .build(),
                        claim,
                        namespace,
                        managedClaim,
                        scrubClaim,
                        scrubPod,
                        Instant.parse("2026-03-01T00:00:00Z")));
    }

    ReleaserSettings settings() {
        return new ReleaserSettings(new ControllerId("me"), automatic, scrubNamespace);
    }

    PersistentVolume volume() {
        PersistentVolume volume =
                Serialization.unmarshal("""
                metadata: {name: pv, uid: pv-uid, creationTimestamp: "2026-02-01T00:00:00Z"}
                spec:
                  storageClassName: class
                  persistentVolumeReclaimPolicy: "%s"
                  volumeMode: %s
                  accessModes: [ReadWriteOnce]
                  capacity: {storage: 1Gi}
                  claimRef: {namespace: ns, name: claim, uid: "%s"}
                status: {phase: %s}
                """.formatted(policy, volumeMode, claimUid, phase), PersistentVolume.class);
        volume.getMetadata().setLabels(labels);
        volume.getMetadata().setAnnotations(annotations);
        volume.getMetadata().setDeletionTimestamp(deleted);
        return volume;
    }

    /** The volume is released for the same claim only. */
    void softly() {
        labels.put(ReleaserNames.MANAGED_BY, "me");
        annotations.put(ReleaserNames.MODE, "soft");
    }

    static PersistentVolumeClaim claim(String uid, String created) {
        return Serialization.unmarshal("""
                metadata: {namespace: ns, name: claim, uid: %s, creationTimestamp: "%s"}
                spec: {storageClassName: class}
                """.formatted(uid, created), PersistentVolumeClaim.class);
    }

    static Namespace namespace(String uid, String created) {
        return Serialization.unmarshal(
                "metadata: {name: ns, uid: %s, creationTimestamp: \"%s\"}".formatted(uid, created), Namespace.class);
    }

    static Pod in(Pod pod, String phase) {
        return new PodBuilder(pod).withNewStatus().withPhase(phase).endStatus().build();
    }

    static void put(Map<String, String> map, String key, @Nullable String value) {
        if (value != null) {
            map.put(key, value);
        }
    }
}
