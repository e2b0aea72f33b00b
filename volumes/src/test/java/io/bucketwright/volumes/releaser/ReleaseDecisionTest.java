package io.bucketwright.volumes.releaser;

import static org.assertj.core.api.Assertions.assertThat;

import io.bucketwright.runtime.ObjectKey;
import io.bucketwright.runtime.controller.Decision;
import io.bucketwright.runtime.controller.Problem;
import io.bucketwright.runtime.controller.Result;
import io.bucketwright.volumes.ControllerId;
import io.fabric8.kubernetes.api.model.PersistentVolume;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.PodStatus;
import io.fabric8.kubernetes.api.model.storage.StorageClassBuilder;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Which volumes the releaser manages, and what happens to them. */
class ReleaseDecisionTest {

    private final Map<String, String> labels = new HashMap<>();
    private final Map<String, String> annotations = new HashMap<>();
    private final Map<String, String> ofClass = new HashMap<>();
    private boolean automatic = true;
    private boolean managedClaim;
    private String phase = "Released";
    private String policy = "Retain";
    private String claimUid = "claim-uid";
    private String scrubNamespace = "scrubs";
    private String volumeMode = "Filesystem";
    private @Nullable String deleted;
    private @Nullable PersistentVolumeClaim scrubClaim;
    private @Nullable Pod scrubPod;
    private @Nullable Problem reported;

    @ParameterizedTest
    @CsvSource({
        // label, legacy label, class id, managed claim, mode of volume, mode of class, decision
        "me,    ,      ,      false, ,     ,      Release FULL",
        ",      me,    ,      false, ,     ,      Release FULL",
        "me,    me,    ,      false, ,     ,      Release FULL",
        ",      ,      me,    false, ,     ,      Release FULL",
        ",      ,      ,      true,  ,     ,      Release FULL",
        ",      ,      ,      false, ,     ,      nothing",
        "other, ,      ,      true,  ,     ,      nothing",
        ",      other, ,      true,  ,     ,      nothing",
        ",      ,      other, true,  ,     ,      nothing",
        "other, ,      me,    true,  ,     ,      nothing",
        "me,    ,      other, false, ,     ,      Release FULL",
        "me,    other, ,      false, ,     ,      problem",
        "other, third, me,    false, ,     ,      nothing",
        "me,    ,      ,      false, soft, ,      Release SOFT",
        ",      ,      me,    false, ,     soft,  Release SOFT",
        ",      ,      me,    false, full, soft,  Release FULL",
        ",      ,      me,    false, none, full,  nothing",
        ",      ,      me,    false, ,     none,  nothing",
        "me,    ,      ,      false, ,     none,  nothing",
        ",      ,      ,      true,  ,     none,  nothing",
        ",      ,      ,      true,  ,     soft,  Release SOFT",
        ",      ,      me,    false, ,     Full,  problem",
        ",      ,      me,    false, ,     wipe,  problem",
        ",      ,      me,    false, wipe, full,  problem"
    })
    void aReleasedVolume(
            @Nullable String label,
            @Nullable String legacyLabel,
            @Nullable String classId,
            boolean managed,
            @Nullable String mode,
            @Nullable String classMode,
            String done) {
        put(labels, ReleaserNames.LEGACY_MANAGED_BY, legacyLabel);
        put(annotations, ReleaserNames.MODE, mode);
        given(managed, label, classId, classMode);
        assertDecided(done);
    }

    @ParameterizedTest
    @CsvSource({
        // automatic, managed claim, label, class id, class mode, phase, decision
        "true,  true,  ,      ,      ,     Bound,     Associate",
        "true,  false, ,      ,      ,     Bound,     nothing",
        "false, true,  ,      ,      ,     Bound,     nothing",
        "false, true,  ,      ,      ,     Released,  nothing",
        "true,  true,  me,    ,      ,     Bound,     nothing",
        "true,  true,  other, ,      ,     Bound,     nothing",
        "true,  true,  ,      me,    ,     Bound,     nothing",
        "true,  true,  ,      other, ,     Bound,     nothing",
        "true,  true,  ,      ,      none, Bound,     nothing",
        "true,  true,  ,      ,      soft, Bound,     Associate",
        "true,  true,  ,      ,      ,     Pending,   nothing",
        "true,  true,  ,      ,      ,     Failed,    nothing",
        "true,  true,  ,      ,      ,     Available, nothing"
    })
    void aVolumeOfAManagedClaim(
            boolean automatically,
            boolean managed,
            @Nullable String label,
            @Nullable String classId,
            @Nullable String classMode,
            String at,
            String done) {
        automatic = automatically;
        phase = at;
        given(managed, label, classId, classMode);
        assertDecided(done);
    }

    /** reclaimable-pv-releaser released volumes with policy Delete too, in a race with their provisioner. */
    @ParameterizedTest
    @ValueSource(strings = {"Delete", "Recycle", ""})
    void onlyRetainedVolumesAreChanged(String other) {
        policy = other;
        labels.put(ReleaserNames.MANAGED_BY, "me");
        assertDecided("nothing");
        labels.clear();
        managedClaim = true;
        phase = "Bound";
        assertDecided("nothing");
    }

    /** reclaimable-pv-releaser did not check the deletion timestamp. */
    @Test
    void aVolumeThatIsBeingDeletedIsNotChanged() {
        labels.put(ReleaserNames.MANAGED_BY, "me");
        deleted = "2026-01-01T00:00:00Z";
        assertDecided("nothing");
    }

    @Test
    void aVolumeWithoutABoundClaimNeedsNothing() {
        labels.put(ReleaserNames.MANAGED_BY, "me");
        claimUid = "";
        assertDecided("nothing");
    }

    @Test
    void aLabelForAnotherClaimIsRemovedAndReleasesNothing() {
        labels.put(ReleaserNames.MANAGED_BY, "me");
        annotations.put(ReleaserNames.ASSOCIATED, "older-uid");
        assertDecided("Disassociate");
        annotations.put(ReleaserNames.ASSOCIATED, "claim-uid");
        assertDecided("Release FULL");
    }

    @Test
    void aProblemIsReportedOnce() {
        labels.put(ReleaserNames.MANAGED_BY, "me");
        annotations.put(ReleaserNames.MODE, "wipe");
        ReleaseStep.Report report = (ReleaseStep.Report) step();
        reported = report.problem();
        assertThat(decide())
                .isEqualTo(
                        Decision.finish(Result.requiresChange(report.problem().message())));
    }

    @Test
    void scrubbingNeedsAFileSystemANamespaceAndAnImage() {
        labels.put(ReleaserNames.MANAGED_BY, "me");
        annotations.put(ReleaserNames.MODE, "scrub");
        assertDecided("problem");
        ofClass.put(ReleaserNames.SCRUB_IMAGE, "busybox");
        assertDecided("Reserve");
        volumeMode = "Block";
        assertThat(((ReleaseStep.Report) step()).problem().message()).contains("Block");
        volumeMode = "Filesystem";
        scrubNamespace = "";
        assertThat(((ReleaseStep.Report) step()).problem().message()).contains("--scrub-namespace");
    }

    @Test
    void eachStepOfAScrubDependsOnlyOnTheObjects() {
        ofClass.put(ReleaserNames.SCRUB_IMAGE, "busybox");
        annotations.put(ReleaserNames.SCRUB, "v1/me/older");
        claimUid = "";
        phase = "Available";
        assertDecided("Create PersistentVolumeClaim");
        scrubClaim = (PersistentVolumeClaim) ((ReleaseStep.Create) step()).helper();
        assertDecided("Create Pod");
        Pod pod = (Pod) ((ReleaseStep.Create) step()).helper();
        phase = "Bound";
        claimUid = "scrub-uid";
        for (String running : List.of("Pending", "Running")) {
            scrubPod = in(pod, running);
            assertDecided("nothing");
        }
        scrubPod = in(pod, "Succeeded");
        assertDecided("MarkScrubbed");
        annotations.put(ReleaserNames.SCRUBBED, "true");
        assertDecided("Delete Pod");
        scrubPod.getMetadata().setDeletionTimestamp("2026-01-01T00:00:00Z");
        assertDecided("nothing");
        scrubPod = null;
        assertDecided("Delete PersistentVolumeClaim");
        scrubClaim = null;
        assertDecided("nothing");
        phase = "Released";
        assertDecided("Release SCRUB");
    }

    @Test
    void aFailedScrubPodIsReportedOnceAndReplaced() {
        startScrub();
        scrubPod = in(scrubPod(), "Failed");
        assertDecided("problem");
        reported = ((ReleaseStep.Report) step()).problem();
        assertDecided("Replace");
    }

    @ParameterizedTest
    @CsvSource({"ContainerCreating, nothing", "CrashLoopBackOff, problem", "ErrImagePull, problem"})
    void aWaitingScrubPodIsReportedAndKept(String waits, String done) {
        startScrub();
        Pod waiting = scrubPod();
        waiting.setStatus(Serialization.unmarshal("""
                phase: Pending
                containerStatuses: [{state: {waiting: {reason: %s}}}]
                """.formatted(waits), PodStatus.class));
        scrubPod = waiting;
        assertDecided(done);
    }

    @Test
    void aScrubWithADeletedClaimStartsAgainWhenTheVolumeIsReleased() {
        annotations.put(ReleaserNames.SCRUB, "v1/me/older");
        claimUid = "scrub-uid";
        phase = "Bound";
        assertDecided("nothing");
        phase = "Released";
        assertDecided("Reserve");
    }

    @ParameterizedTest
    @CsvSource({"v1/other/x, nothing", "v2/me/x, problem", "true, problem"})
    void aScrubOfAnotherControllerOrVersionIsNotChanged(String intent, String decision) {
        labels.put(ReleaserNames.MANAGED_BY, "me");
        annotations.put(ReleaserNames.SCRUB, intent);
        assertDecided(decision);
    }

    @Test
    void aForeignObjectWithTheNameOfAScrubObjectIsNeitherUsedNorDeleted() {
        startScrub().getMetadata().setAnnotations(Map.of());
        assertDecided("problem");
        deleted = "2026-01-01T00:00:00Z";
        assertDecided("nothing");
    }

    @Test
    void scrubObjectsOfADeletedVolumeAreDeleted() {
        startScrub();
        scrubPod = scrubPod();
        deleted = "2026-01-01T00:00:00Z";
        assertDecided("Delete Pod");
        scrubPod = null;
        assertDecided("Delete PersistentVolumeClaim");
    }

    @Test
    void theScrubPodHasNoTokenNoHostAccessAndTwoCapabilities() {
        var spec = ScrubObjects.pod(volume(), "busybox", settings()).getSpec();
        assertThat(spec.getAutomountServiceAccountToken()).isFalse();
        assertThat(spec.getHostNetwork()).isNull();
        assertThat(spec.getHostPID()).isNull();
        assertThat(spec.getVolumes()).hasSize(1);
        assertThat(spec.getVolumes().getFirst().getHostPath()).isNull();
        var security = spec.getContainers().getFirst().getSecurityContext();
        assertThat(security.getPrivileged()).isNull();
        assertThat(security.getAllowPrivilegeEscalation()).isFalse();
        assertThat(security.getCapabilities().getDrop()).containsExactly("ALL");
        assertThat(security.getCapabilities().getAdd()).containsExactly("DAC_OVERRIDE", "FOWNER");
    }

    private void given(boolean managed, @Nullable String label, @Nullable String classId, @Nullable String classMode) {
        managedClaim = managed;
        put(labels, ReleaserNames.MANAGED_BY, label);
        put(ofClass, ReleaserNames.CONTROLLER_ID, classId);
        put(ofClass, ReleaserNames.MODE, classMode);
    }

    private void assertDecided(String decision) {
        assertThat(decided()).isEqualTo(decision);
    }

    /** The volume is being scrubbed, its claim exists. */
    private PersistentVolumeClaim startScrub() {
        ofClass.put(ReleaserNames.SCRUB_IMAGE, "busybox");
        annotations.put(ReleaserNames.SCRUB, "v1/me/older");
        PersistentVolumeClaim claim = ScrubObjects.claim(volume(), settings());
        scrubClaim = claim;
        return claim;
    }

    private Pod scrubPod() {
        return ScrubObjects.pod(volume(), "busybox", settings());
    }

    private String decided() {
        return switch (decide()) {
            case Decision.Finish<ReleaseStep> _ -> "nothing";
            case Decision.Act<ReleaseStep>(ReleaseStep step) ->
                switch (step) {
                    case ReleaseStep.Report _ -> "problem";
                    case ReleaseStep.Release release -> "Release " + release.mode();
                    case ReleaseStep.Create create ->
                        "Create " + create.helper().getKind();
                    case ReleaseStep.Delete delete ->
                        "Delete " + delete.helper().getKind();
                    default -> step.getClass().getSimpleName();
                };
        };
    }

    private ReleaseStep step() {
        return decide() instanceof Decision.Act<ReleaseStep>(ReleaseStep step)
                ? step
                : new ReleaseStep.Disassociate(volume());
    }

    private Decision<ReleaseStep> decide() {
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
                        managedClaim,
                        scrubClaim,
                        scrubPod,
                        reported));
    }

    private ReleaserSettings settings() {
        return new ReleaserSettings(new ControllerId("me"), automatic, scrubNamespace);
    }

    private PersistentVolume volume() {
        PersistentVolume volume =
                Serialization.unmarshal("""
                metadata: {name: pv, uid: pv-uid}
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

    private static Pod in(Pod pod, String phase) {
        return new PodBuilder(pod).withNewStatus().withPhase(phase).endStatus().build();
    }

    private static void put(Map<String, String> map, String key, @Nullable String value) {
        if (value != null) {
            map.put(key, value);
        }
    }
}
