package io.bucketwright.volumes.releaser;

import static io.bucketwright.testing.Eventually.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.bucketwright.testing.ApiUser;
import io.bucketwright.testing.OnCluster;
import io.bucketwright.testing.RequestCounts;
import io.bucketwright.testing.TestCluster;
import io.bucketwright.volumes.podclaims.VolumeFixture;
import io.bucketwright.volumes.podclaims.VolumeTestCase;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.ResourceAccessMode;
import org.junit.jupiter.api.parallel.ResourceLock;

/** Scrubs with the binder of kube-controller-manager and without a node: the test completes the scrub pods. */
@OnCluster
@ResourceLock(value = "pod claims of all namespaces", mode = ResourceAccessMode.READ)
class ScrubIT extends VolumeTestCase {

    ScrubIT() {
        super(ScrubIT::scrubUser);
    }

    @Test
    void aVolumeIsReservedThenScrubbedThenAvailable() {
        String storageClass = bench.storageClass("static", scrubbed(bench));
        String volume = startScrub(storageClass);
        // Another claim of this class must not get the volume with its data.
        bench.create(bench.newClaim("stranger", storageClass));
        Pod pod = pods(bench).getFirst();
        bench.awaitBound(pod.getMetadata().getName());
        bench.awaitVolumesSettled();
        assertThat(bench.awaitClaim("stranger").getStatus().getPhase()).isEqualTo("Pending");
        assertThat(pod.getSpec().getVolumes()).hasSize(1);
        assertThat(pod.getSpec().getContainers().getFirst().getImage()).isEqualTo("bucketwright.local/busybox:1");
        await("the pod to have done its work").until(() -> finishPods(bench) == 1);
        assertThat(bench.awaitEvent("PersistentVolume", volume, "Released")).contains("Scrubbed");
        assertThat(bench.awaitBound("stranger").getSpec().getVolumeName()).isEqualTo(volume);
        bench.awaitVolumesSettled();
        assertThat(helpers(bench)).isZero();
        RequestCounts cost = assertCost(7, 1);
        assertThat(cost.reads()).as("%s", cost).isZero();
    }

    @Test
    void aFailedScrubPodIsReportedAndReplaced() {
        String storageClass = bench.storageClass("static", scrubbed(bench));
        String volume = startScrub(storageClass);
        String first = pods(bench).getFirst().getMetadata().getUid();
        bench.setPodPhase(pods(bench).getFirst(), "Failed");
        await("another pod")
                .until(() -> pods(bench).stream()
                        .anyMatch(pod -> !pod.getMetadata().getUid().equals(first)));
        bench.awaitEvent("PersistentVolume", volume, "ErrReleasePV");
        await("the pod to have done its work").until(() -> finishPods(bench) == 1);
        bench.awaitEvent("PersistentVolume", volume, "Released");
    }

    @Test
    void aVolumeThatIsDeletedDuringAScrubLeavesNoScrubObjects() {
        String storageClass = bench.storageClass("static", scrubbed(bench));
        String volume = startScrub(storageClass);
        cluster.admin().persistentVolumes().withName(volume).delete();
        await("the end of the volume")
                .until(() ->
                        cluster.admin().persistentVolumes().withName(volume).get() == null);
        await("the end of the helpers").until(() -> helpers(bench) == 0);
    }

    static ApiUser scrubUser(TestCluster cluster) {
        return VolumeFixture.deployed(
                cluster,
                "scrubber",
                "bucketwright-releaser",
                "bucketwright-releaser-events",
                "bucketwright-releaser-scrub");
    }

    static Map<String, String> scrubbed(VolumeFixture bench) {
        return Map.of(
                ReleaserNames.CONTROLLER_ID, bench.id(),
                ReleaserNames.MODE, "scrub",
                ReleaserNames.SCRUB_IMAGE, "bucketwright.local/busybox:1");
    }

    /** Releases a volume that must be scrubbed and waits for its scrub pod. Returns the volume. */
    private String startScrub(String storageClass) {
        String volume = bench.volume("v", storageClass);
        bench.releaser(user, builder -> builder.scrubNamespace(bench.namespace()));
        startCounting();
        bench.bindAndRelease(volume, "cache", storageClass);
        await("the scrub pod").until(() -> pods(bench).size() == 1);
        return volume;
    }

    static int helpers(VolumeFixture bench) {
        return pods(bench).size()
                + bench.admin()
                        .persistentVolumeClaims()
                        .inNamespace(bench.namespace())
                        .withLabel(ReleaserNames.SCRUB_FOR, bench.id())
                        .list()
                        .getItems()
                        .size();
    }

    static List<Pod> pods(VolumeFixture bench) {
        return bench.admin()
                .pods()
                .inNamespace(bench.namespace())
                .withLabel(ReleaserNames.SCRUB_FOR, bench.id())
                .list()
                .getItems();
    }

    /** Completes the scrub pods whose claim is bound and returns their number. */
    static int finishPods(VolumeFixture bench) {
        List<Pod> able = pods(bench).stream()
                .filter(pod -> "Pending".equals(pod.getStatus().getPhase()))
                .filter(pod -> pod.getMetadata().getDeletionTimestamp() == null)
                .filter(pod -> bench.isBound(pod.getMetadata().getName()))
                .toList();
        return (int) able.stream().filter(pod -> isFinished(bench, pod)).count();
    }

    private static boolean isFinished(VolumeFixture bench, Pod pod) {
        try {
            bench.setPodPhase(pod, "Succeeded");
            return true;
        } catch (KubernetesClientException e) {
            // Deleted or changed meanwhile; the next call sees it.
            assertThat(e.getCode()).isIn(404, 409);
            return false;
        }
    }
}
