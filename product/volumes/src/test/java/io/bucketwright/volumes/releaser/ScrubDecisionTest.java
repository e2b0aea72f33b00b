package io.bucketwright.volumes.releaser;

import static org.assertj.core.api.Assertions.assertThat;

import io.bucketwright.runtime.controller.Decision;
import io.bucketwright.runtime.controller.Result;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodStatus;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** How a volume is scrubbed. */
class ScrubDecisionTest extends ReleaseDecisionTestCase {

    @Test
    void scrubbingNeedsAFileSystemANamespaceAndAnImage() {
        labels.put(ReleaserNames.MANAGED_BY, "me");
        annotations.put(ReleaserNames.MODE, "scrub");
        assertDecided("problem");
        ofClass.put(ReleaserNames.SCRUB_IMAGE, "busybox");
        assertDecided("reserve");
        volumeMode = "Block";
        assertThat(problem()).contains("Block");
        volumeMode = "Filesystem";
        scrubNamespace = "";
        assertThat(problem()).contains("--scrub-namespace");
    }

    @Test
    void eachStepOfAScrubDependsOnlyOnTheObjects() {
        ofClass.put(ReleaserNames.SCRUB_IMAGE, "busybox");
        annotations.put(ReleaserNames.SCRUB, "v1/me/older");
        claimUid = "";
        phase = "Available";
        assertDecided("Create PersistentVolumeClaim");
        scrubClaim = created(PersistentVolumeClaim.class);
        assertDecided("Create Pod");
        Pod pod = created(Pod.class);
        phase = "Bound";
        claimUid = "scrub-uid";
        for (String running : List.of("Pending", "Running")) {
            scrubPod = in(pod, running);
            assertDecided("nothing");
        }
        scrubPod = in(pod, "Succeeded");
        assertDecided("mark as scrubbed");
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

    /** The cache of pods may still show the pod that scrubbed the volume for an earlier claim. */
    @Test
    void aPodOfAnEarlierScrubDoesNotReleaseTheVolumeWithTheDataOfALaterClaim() {
        startScrub();
        scrubPod = in(scrubPod(), "Succeeded");
        assertDecided("mark as scrubbed");
        annotations.put(ReleaserNames.SCRUB, "v1/me/later");
        assertDecided("Delete Pod");
        scrubPod.getMetadata().setDeletionTimestamp("2026-01-01T00:00:00Z");
        assertDecided("nothing");
        scrubPod = null;
        assertDecided("Delete PersistentVolumeClaim");
    }

    /** Otherwise the claim of this scrub could never be bound, and the pod would wait for ever. */
    @Test
    void aVolumeIsReservedAgainIfItRefersToAnEarlierScrubClaim() {
        startScrub().getMetadata().setUid("second");
        claimUid = "first";
        phase = "Bound";
        assertDecided("Create Pod");
        phase = "Released";
        assertDecided("reserve");
        scrubPod = in(scrubPod(), "Pending");
        assertDecided("reserve");
        claimUid = "";
        assertDecided("nothing");
    }

    @Test
    void aFailedScrubPodIsReportedOnceAndReplaced() {
        startScrub();
        scrubPod = in(scrubPod(), "Failed");
        assertDecided("ReplacePod");
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
    void aScrubPodThatCannotBeScheduledIsReported() {
        startScrub();
        Pod waiting = scrubPod();
        waiting.setStatus(Serialization.unmarshal("""
                phase: Pending
                conditions: [{type: PodScheduled, status: "False", reason: Unschedulable, message: 0/3 nodes are available}]
                """, PodStatus.class));
        scrubPod = waiting;
        assertThat(problem()).contains("Unschedulable: 0/3 nodes");
        waiting.getStatus().getConditions().getFirst().setLastTransitionTime("2026-02-28T23:59:30Z");
        assertThat(decide())
                .as("its claim is bound in a moment")
                .isEqualTo(Decision.finish(Result.requeueAfter(Duration.ofSeconds(30))));
    }

    @Test
    void theClassCanSetWhatAPodNeedsToRun() {
        startScrub();
        ofClass.put(ReleaserNames.SCRUB_POD, """
                tolerations: [{key: dedicated, operator: Exists}]
                imagePullSecrets: [{name: registry}]
                nodeSelector: {disk: ssd}
                activeDeadlineSeconds: 600
                resources: {limits: {memory: 64Mi}}
                """);
        var spec = created(Pod.class).getSpec();
        assertThat(spec.getTolerations().getFirst().getKey()).isEqualTo("dedicated");
        assertThat(spec.getImagePullSecrets().getFirst().getName()).isEqualTo("registry");
        assertThat(spec.getNodeSelector()).isEqualTo(Map.of("disk", "ssd"));
        assertThat(spec.getActiveDeadlineSeconds()).isEqualTo(600);
        assertThat(spec.getContainers().getFirst().getResources().getLimits()).containsOnlyKeys("memory");
    }

    /** Security is not a matter of the annotation. */
    @ParameterizedTest
    @ValueSource(strings = {"hostNetwork: true", "tolerations: yes please", "{", "containers: []"})
    void invalidOptionsAreReportedBeforeTheScrubStarts(String options) {
        labels.put(ReleaserNames.MANAGED_BY, "me");
        annotations.put(ReleaserNames.MODE, "scrub");
        ofClass.put(ReleaserNames.SCRUB_IMAGE, "busybox");
        ofClass.put(ReleaserNames.SCRUB_POD, options);
        assertThat(problem()).contains("scrub-pod").doesNotContain("\n");
    }

    @Test
    void aScrubWithADeletedClaimStartsAgainWhenTheVolumeIsReleased() {
        annotations.put(ReleaserNames.SCRUB, "v1/me/older");
        claimUid = "scrub-uid";
        phase = "Bound";
        assertDecided("nothing");
        phase = "Released";
        assertDecided("reserve");
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
        var spec = ScrubObjects.pod(volume(), "busybox", ScrubPodOptions.parse(""), settings())
                .getSpec();
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
}
