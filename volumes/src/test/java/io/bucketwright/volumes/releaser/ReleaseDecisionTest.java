package io.bucketwright.volumes.releaser;

import static org.assertj.core.api.Assertions.assertThat;

import io.bucketwright.runtime.ObjectKey;
import io.bucketwright.runtime.controller.Decision;
import io.bucketwright.runtime.controller.Result;
import io.bucketwright.volumes.podclaims.ControllerId;
import io.fabric8.kubernetes.api.model.PersistentVolume;
import io.fabric8.kubernetes.api.model.PersistentVolumeBuilder;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.storage.StorageClassBuilder;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Whose a volume is, and what becomes of it. */
class ReleaseDecisionTest {

    private final Map<String, String> labels = new HashMap<>();
    private final Map<String, String> annotations = new HashMap<>();
    private final Map<String, String> ofClass = new HashMap<>();
    private boolean automatic = true;
    private boolean ofOurClaim;
    private String phase = "Released";
    private String policy = "Retain";
    private String claimUid = "claim-uid";
    private String scrubNamespace = "scrubs";
    private String volumeMode = "Filesystem";
    private @Nullable String deleted;
    private @Nullable PersistentVolumeClaim scrubClaim;
    private @Nullable Pod scrubPod;
    private @Nullable Trouble told;

    @ParameterizedTest
    @CsvSource({
        // label, label of old, class id, our claim, mode of volume, mode of class, what is done
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
        "me,    other, ,      false, ,     ,      trouble",
        "other, third, me,    false, ,     ,      nothing",
        "me,    ,      ,      false, soft, ,      Release SOFT",
        ",      ,      me,    false, ,     soft,  Release SOFT",
        ",      ,      me,    false, full, soft,  Release FULL",
        ",      ,      me,    false, none, full,  nothing",
        ",      ,      me,    false, ,     none,  nothing",
        "me,    ,      ,      false, ,     none,  nothing",
        ",      ,      ,      true,  ,     none,  nothing",
        ",      ,      ,      true,  ,     soft,  Release SOFT",
        ",      ,      me,    false, ,     Full,  trouble",
        ",      ,      me,    false, ,     wipe,  trouble",
        ",      ,      me,    false, wipe, full,  trouble"
    })
    void aReleasedVolume(
            @Nullable String label,
            @Nullable String labelOfOld,
            @Nullable String classId,
            boolean ours,
            @Nullable String mode,
            @Nullable String classMode,
            String done) {
        put(labels, Marks.MANAGED_BY, label);
        put(labels, Marks.MANAGED_BY_OF_OLD, labelOfOld);
        put(ofClass, Marks.CONTROLLER_ID, classId);
        put(annotations, Marks.MODE, mode);
        put(ofClass, Marks.MODE, classMode);
        ofOurClaim = ours;
        assertThat(decided()).isEqualTo(done);
    }

    @ParameterizedTest
    @CsvSource({
        // automatic, our claim, label, class id, class mode, phase, what is done
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
    void aVolumeOfAClaimThatOurProvisionerMade(
            boolean automatically,
            boolean ours,
            @Nullable String label,
            @Nullable String classId,
            @Nullable String classMode,
            String at,
            String done) {
        automatic = automatically;
        ofOurClaim = ours;
        put(labels, Marks.MANAGED_BY, label);
        put(ofClass, Marks.CONTROLLER_ID, classId);
        put(ofClass, Marks.MODE, classMode);
        phase = at;
        assertThat(decided()).isEqualTo(done);
    }

    /** Field §1.5: a volume with policy Delete was un-claimed too, in a race with its provisioner. */
    @ParameterizedTest
    @ValueSource(strings = {"Delete", "Recycle", ""})
    void onlyRetainedVolumesAreTouched(String other) {
        policy = other;
        labels.put(Marks.MANAGED_BY, "me");
        assertThat(decided()).isEqualTo("nothing");
        labels.clear();
        ofOurClaim = true;
        phase = "Bound";
        assertThat(decided()).isEqualTo("nothing");
    }

    /** Field §1.5: deletionTimestamp was not checked. */
    @Test
    void aVolumeThatIsBeingDeletedIsNotTouched() {
        labels.put(Marks.MANAGED_BY, "me");
        deleted = "2026-01-01T00:00:00Z";
        assertThat(decided()).isEqualTo("nothing");
    }

    @Test
    void aVolumeWithoutAClaimOrWithAReservationOnlyNeedsNothing() {
        labels.put(Marks.MANAGED_BY, "me");
        claimUid = "";
        assertThat(decided()).isEqualTo("nothing");
    }

    @Test
    void aLabelThatWePutThereForAnotherClaimIsTakenOffAndReleasesNothing() {
        labels.put(Marks.MANAGED_BY, "me");
        annotations.put(Marks.ASSOCIATED, "older-uid");
        assertThat(decided()).isEqualTo("Disassociate");
        annotations.put(Marks.ASSOCIATED, "claim-uid");
        assertThat(decided()).isEqualTo("Release FULL");
    }

    @Test
    void troubleIsToldOnce() {
        labels.put(Marks.MANAGED_BY, "me");
        annotations.put(Marks.MODE, "wipe");
        Step.Tell tell = (Step.Tell) step();
        told = tell.trouble();
        assertThat(decide())
                .isEqualTo(Decision.finish(Result.requiresChange(tell.trouble().note())));
    }

    @Test
    void scrubbingNeedsFilesAPlaceAndAnImage() {
        labels.put(Marks.MANAGED_BY, "me");
        annotations.put(Marks.MODE, "scrub");
        assertThat(decided()).isEqualTo("trouble");
        ofClass.put(Marks.SCRUB_IMAGE, "busybox");
        assertThat(decided()).isEqualTo("Reserve");
        volumeMode = "Block";
        assertThat(((Step.Tell) step()).trouble().note()).contains("Block");
        volumeMode = "Filesystem";
        scrubNamespace = "";
        assertThat(((Step.Tell) step()).trouble().note()).contains("--scrub-namespace");
    }

    @Test
    void aScrubGoesStepByStepAndEachIsSeenFromTheObjectsAlone() {
        ofClass.put(Marks.SCRUB_IMAGE, "busybox");
        annotations.put(Marks.SCRUB, "v1/me/older");
        claimUid = "";
        phase = "Available";
        assertThat(decided()).isEqualTo("CreateClaim");
        scrubClaim = ((Step.CreateClaim) step()).claim();
        assertThat(decided()).isEqualTo("CreatePod");
        Pod pod = ((Step.CreatePod) step()).pod();
        phase = "Bound";
        claimUid = "scrub-uid";
        scrubPod = in(pod, "Pending");
        assertThat(decided()).isEqualTo("nothing");
        scrubPod = in(pod, "Running");
        assertThat(decided()).isEqualTo("nothing");
        scrubPod = in(pod, "Succeeded");
        assertThat(decided()).isEqualTo("MarkScrubbed");
        annotations.put(Marks.SCRUBBED, "true");
        assertThat(decided()).isEqualTo("Delete Pod");
        scrubPod.getMetadata().setDeletionTimestamp("2026-01-01T00:00:00Z");
        assertThat(decided()).isEqualTo("nothing");
        scrubPod = null;
        assertThat(decided()).isEqualTo("Delete PersistentVolumeClaim");
        scrubClaim = null;
        assertThat(decided()).isEqualTo("nothing");
        phase = "Released";
        assertThat(decided()).isEqualTo("Release SCRUB");
    }

    @Test
    void aScrubPodThatFailedIsToldOnceAndReplaced() {
        ofClass.put(Marks.SCRUB_IMAGE, "busybox");
        annotations.put(Marks.SCRUB, "v1/me/older");
        scrubClaim = ScrubObjects.claim(volume(), settings());
        scrubPod = in(ScrubObjects.pod(volume(), "busybox", settings()), "Failed");
        assertThat(decided()).isEqualTo("trouble");
        told = ((Step.Tell) step()).trouble();
        assertThat(decided()).isEqualTo("Replace");
    }

    @ParameterizedTest
    @CsvSource({"ContainerCreating, nothing", "CrashLoopBackOff, trouble", "ErrImagePull, trouble"})
    void aScrubPodThatDoesNotGetOnIsToldAndKept(String waits, String done) {
        ofClass.put(Marks.SCRUB_IMAGE, "busybox");
        annotations.put(Marks.SCRUB, "v1/me/older");
        scrubClaim = ScrubObjects.claim(volume(), settings());
        scrubPod = new PodBuilder(ScrubObjects.pod(volume(), "busybox", settings()))
                .withNewStatus()
                .withPhase("Pending")
                .addNewContainerStatus()
                .withNewState()
                .withNewWaiting(null, waits)
                .endState()
                .endContainerStatus()
                .endStatus()
                .build();
        assertThat(decided()).isEqualTo(done);
    }

    @Test
    void aScrubWhoseClaimWasTakenAwayBeginsAgainOnceTheVolumeIsReleased() {
        annotations.put(Marks.SCRUB, "v1/me/older");
        claimUid = "scrub-uid";
        phase = "Bound";
        assertThat(decided()).isEqualTo("nothing");
        phase = "Released";
        assertThat(decided()).isEqualTo("Reserve");
    }

    @ParameterizedTest
    @CsvSource({"v1/other/x, nothing", "v2/me/x, trouble", "true, trouble"})
    void aScrubOfSomebodyElseOrOfAnotherVersionIsLeftAlone(String mark, String done) {
        labels.put(Marks.MANAGED_BY, "me");
        annotations.put(Marks.SCRUB, mark);
        assertThat(decided()).isEqualTo(done);
    }

    @Test
    void aHelperOfTheSameNameThatIsNotOursIsNeitherUsedNorDeleted() {
        annotations.put(Marks.SCRUB, "v1/me/older");
        PersistentVolumeClaim foreign = ScrubObjects.claim(volume(), settings());
        foreign.getMetadata().setAnnotations(Map.of());
        scrubClaim = foreign;
        assertThat(decided()).isEqualTo("trouble");
        deleted = "2026-01-01T00:00:00Z";
        assertThat(decided()).isEqualTo("nothing");
    }

    @Test
    void helpersOfAVolumeThatIsGoneOrGoesAreRemoved() {
        annotations.put(Marks.SCRUB, "v1/me/older");
        scrubClaim = ScrubObjects.claim(volume(), settings());
        scrubPod = ScrubObjects.pod(volume(), "busybox", settings());
        deleted = "2026-01-01T00:00:00Z";
        assertThat(decided()).isEqualTo("Delete Pod");
        scrubPod = null;
        assertThat(decided()).isEqualTo("Delete PersistentVolumeClaim");
    }

    @Test
    void theScrubPodHasNoTokenNoHostAndTwoRights() {
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

    private String decided() {
        return switch (decide()) {
            case Decision.Finish<Step> _ -> "nothing";
            case Decision.Act<Step>(Step step) ->
                switch (step) {
                    case Step.Tell _ -> "trouble";
                    case Step.Release release -> "Release " + release.mode();
                    case Step.Delete delete -> "Delete " + delete.helper().getKind();
                    default -> step.getClass().getSimpleName();
                };
        };
    }

    private Step step() {
        return decide() instanceof Decision.Act<Step>(Step step) ? step : new Step.Disassociate(volume());
    }

    private Decision<Step> decide() {
        return new ReleaseDecision(settings())
                .decide(new Observed(
                        new ObjectKey("", "pv", "pv-uid"),
                        volume(),
                        new StorageClassBuilder()
                                .withNewMetadata()
                                .withName("class")
                                .withAnnotations(ofClass)
                                .endMetadata()
                                .build(),
                        ofOurClaim,
                        scrubClaim,
                        scrubPod,
                        told));
    }

    private Settings settings() {
        return new Settings(new ControllerId("me"), automatic, scrubNamespace, 1);
    }

    private PersistentVolume volume() {
        PersistentVolumeBuilder builder = new PersistentVolumeBuilder()
                .withNewMetadata()
                .withName("pv")
                .withUid("pv-uid")
                .withLabels(labels)
                .withAnnotations(annotations)
                .withDeletionTimestamp(deleted)
                .endMetadata()
                .withNewSpec()
                .withStorageClassName("class")
                .withPersistentVolumeReclaimPolicy(policy)
                .withVolumeMode(volumeMode)
                .withAccessModes(List.of("ReadWriteOnce"))
                .withCapacity(Map.of("storage", new Quantity("1Gi")))
                .withNewClaimRef()
                .withNamespace("ns")
                .withName("claim")
                .withUid(claimUid)
                .endClaimRef()
                .endSpec()
                .withNewStatus()
                .withPhase(phase)
                .endStatus();
        return builder.build();
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
