package io.bucketwright.volumes.directories;

import static io.bucketwright.testing.Eventually.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.bucketwright.testing.RequestCounts;
import io.fabric8.kubernetes.api.model.LabelSelector;
import io.fabric8.kubernetes.api.model.PersistentVolume;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.TypedLocalObjectReference;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** The rules of claims and classes, on a real cluster. */
class RulesIT extends DirectoryTestBase {

    private static final String FAILED = "ProvisioningFailed";

    @Test
    void invalidClaimsAreReportedOnceAndValidClaimsAreServed() {
        String storageClass = bench.storageClass("new", Map.of("maxSize", "1Gi"));
        String ownerless =
                bench.storageClass("ownerless", Map.of("defaultOwnerAssetUid", "", "defaultOwnerAssetGid", ""));
        String wrong = bench.storageClass("wrong", Map.of("mode", "rwx"));
        bench.provisioner();
        LabelSelector selector = new LabelSelector(List.of(), Map.of("a", "b"));
        bench.claim("selector", storageClass, claim -> claim.getSpec().setSelector(selector));
        bench.claim("block", storageClass, claim -> claim.getSpec().setVolumeMode("Block"));
        bench.claim(
                "clone",
                storageClass,
                claim -> claim.getSpec()
                        .setDataSource(new TypedLocalObjectReference(null, "PersistentVolumeClaim", "fine")));
        bench.claim("root", storageClass, Map.of("storage.asset/owner-uid", "0"));
        bench.claim("ownerless", ownerless);
        bench.claim("wrong", wrong);
        Map<String, Quantity> large = Map.of("storage", new Quantity("2Gi"));
        bench.claim(
                "large", storageClass, claim -> claim.getSpec().getResources().setRequests(large));
        bench.claim("recycle", storageClass, Map.of("volume.pv.provisioner/reclaim-policy", "Recycle"));
        bench.claim("classless", "");
        bench.provision("fine", storageClass);
        bench.awaitEvent("selector", FAILED, "selector");
        bench.awaitEvent("block", FAILED, "Block");
        bench.awaitEvent("clone", FAILED, "dataSource");
        bench.awaitEvent("root", FAILED, "outside");
        bench.awaitEvent("ownerless", FAILED, "is not specified");
        bench.awaitEvent("wrong", FAILED, "mode");
        bench.awaitEvent("large", FAILED, "at most 1Gi");
        bench.awaitEvent("recycle", FAILED, "Recycle");
        bench.awaitSettled();
        assertThat(bench.directories()).containsExactly(bench.volumeName("fine"));
        bench.assertInvariants();
        RequestCounts requests = cluster.requests(bench.user());
        assertThat(requests.of("create", "events")).as("%s", requests).isEqualTo(9);
        assertThat(requests.count(
                        request -> request.code() == 403 && !request.verb().equals("get")))
                .as("%s", requests)
                .isZero();
    }

    /** §2.2.1: the namespaces a-b and a, the claims c and b-c. */
    @Test
    void twoClaimsWithTheSameVolumeNameDoNotShareADirectory() throws Exception {
        String other = cluster.namespace() + "-x";
        cluster.admin().resource("""
                apiVersion: v1
                kind: Namespace
                metadata: {name: %s}
                """.formatted(other)).create();
        try {
            String storageClass = bench.storageClass("new", Map.of());
            String byUid = bench.storageClass("by-uid", Map.of("naming", "uid"));
            bench.provisioner();
            bench.provision("x-photos", storageClass);
            Files.writeString(bench.directory("x-photos").resolve("file"), "private");
            PersistentVolumeClaim same = bench.get("x-photos").orElseThrow();
            PersistentVolumeClaim second = claimIn(other, "photos", storageClass);
            await("the second claim to be rejected")
                    .until(() -> cluster.admin().events().v1().events().inNamespace(other).list().getItems().stream()
                            .anyMatch(event -> event.getNote().contains("not owned by this claim")));
            PersistentVolumeClaim third = claimIn(other, "third", byUid);
            await("a claim of a class with naming: uid to be Bound")
                    .until(() -> phase(third).equals("Bound"));
            assertThat(cluster.admin().resource(third).get().getSpec().getVolumeName())
                    .isEqualTo("pvc-" + third.getMetadata().getUid());
            assertThat(phase(second)).isEqualTo("Pending");
            assertThat(bench.volume(bench.volumeName("x-photos"))
                            .orElseThrow()
                            .getSpec()
                            .getClaimRef()
                            .getUid())
                    .isEqualTo(same.getMetadata().getUid());
            assertThat(bench.directory("x-photos").resolve("file")).hasContent("private");
            // After the first is deleted, the second gets an empty directory of the same name.
            bench.delete("x-photos");
            await("the second claim to be Bound").until(() -> phase(second).equals("Bound"));
            assertThat(DirectoryFixture.names(bench.directory("x-photos"))).isEmpty();
        } finally {
            cluster.admin().namespaces().withName(other).delete();
        }
    }

    private String phase(PersistentVolumeClaim claim) {
        return cluster.admin().resource(claim).get().getStatus().getPhase();
    }

    private PersistentVolumeClaim claimIn(String namespace, String name, String of) {
        return bench.claim("template-" + name, of, claim -> {
            claim.getMetadata().setNamespace(namespace);
            claim.getMetadata().setName(name);
        });
    }

    @Test
    void theBudgetOfARootIsNeverExceededAndIsFreedByDeletion() {
        String storageClass = bench.start(Map.of("rootBudget", "50Mi"));
        IntStream.range(0, 12).parallel().forEach(i -> bench.claim("mine-" + i, storageClass));
        await("five claims to be Bound").until(() -> bound().count() == 5);
        bench.awaitSettled();
        assertThat(bench.volumes()).hasSize(5);
        bench.assertInvariants();
        int bound = bound().findFirst().orElseThrow();
        bench.delete("mine-" + bound);
        await("another claim to be Bound")
                .until(() -> bound().filter(i -> i != bound).count() == 5);
    }

    private IntStream bound() {
        return IntStream.range(0, 12).filter(i -> bench.isBound("mine-" + i));
    }

    /** A disk that is not mounted at the first start must not be replaced by the file system below. */
    @Test
    void aRootThatIsNoMountPointIsNotInitialized() throws Exception {
        String storageClass = bench.start(Map.of("requireMountPoint", "true"));
        bench.claim("photos", storageClass);
        bench.awaitEvent("photos", FAILED, "No file system is mounted");
        assertThat(DirectoryFixture.names(root)).isEmpty();
    }

    @Test
    void aDirectoryWithoutAMarkerIsNotUsed() throws Exception {
        String storageClass = bench.storageClass("new", Map.of());
        Files.createDirectory(bench.directory("photos"));
        Files.writeString(bench.directory("photos").resolve("file"), "somebody's");
        bench.provisioner();
        bench.claim("photos", storageClass);
        bench.awaitEvent("photos", FAILED, "has no marker");
        assertThat(bench.volumes()).isEmpty();
        assertThat(bench.markers()).isEmpty();
        Files.delete(bench.directory("photos").resolve("file"));
        Files.delete(bench.directory("photos"));
        bench.awaitBound("photos");
    }

    @Test
    void ownerModeAndPolicyOfClaimAndClassAreApplied() throws Exception {
        Path second = Files.createDirectory(temporary.resolve("second"));
        String storageClass = bench.storageClass("new", Map.of("mode", "2750"));
        String elsewhere = bench.storageClass("elsewhere", Map.of("assetRoot", "/mnt/published"));
        bench.provisioner(builder -> builder.root(elsewhere, second));
        bench.claim(
                "photos",
                storageClass,
                Map.of(
                        "storage.asset/owner-uid",
                        "1234",
                        "storage-asset.pv.provisioner/owner-gid",
                        "4321",
                        "volume.pv.provisioner/reclaim-policy",
                        "Retain"));
        bench.claim("other", elsewhere);
        PersistentVolume volume = bench.awaitBound("photos");
        assertThat(volume.getSpec().getPersistentVolumeReclaimPolicy()).isEqualTo("Retain");
        assertThat(Files.getAttribute(bench.directory("photos"), "unix:uid")).isEqualTo(1234);
        assertThat(Files.getAttribute(bench.directory("photos"), "unix:gid")).isEqualTo(4321);
        assertThat((int) Files.getAttribute(bench.directory("photos"), "unix:mode") & 07777)
                .isEqualTo(02750);
        PersistentVolume published = bench.awaitBound("other");
        assertThat(published.getSpec().getHostPath().getPath())
                .isEqualTo("/mnt/published/" + bench.volumeName("other"));
        assertThat(second.resolve(bench.volumeName("other"))).isDirectory();
    }

    @Test
    void nfsVolumesHaveServerPathAndMountOptions() {
        String storageClass = bench.storageClass(
                "nfs",
                Map.of("assetRoot", "files.example.com:/export/volumes"),
                builder -> builder.withMountOptions("nfsvers=4.1"));
        String six = bench.storageClass("nfs-six", Map.of("assetRoot", "[fd00::1]:/export"));
        bench.provisioner();
        bench.claim("photos", storageClass);
        bench.claim("six", six);
        PersistentVolume volume = bench.awaitBound("photos");
        assertThat(bench.awaitBound("six").getSpec().getNfs().getServer()).isEqualTo("fd00::1");
        bench.delete("six");
        bench.awaitDeleted("six");
        assertThat(volume.getSpec().getNfs().getServer()).isEqualTo("files.example.com");
        assertThat(volume.getSpec().getNfs().getPath()).isEqualTo("/export/volumes/" + bench.volumeName("photos"));
        assertThat(volume.getSpec().getMountOptions()).containsExactly("nfsvers=4.1");
        bench.delete("photos");
        bench.awaitDeleted("photos");
        assertThat(bench.directories()).isEmpty();
    }

    /** §2.2.10: one process for each node; each serves the claims whose pods are scheduled to its node. */
    @Test
    void localVolumesAreCreatedOnlyOnTheSelectedNode() throws Exception {
        Path there = Files.createDirectory(temporary.resolve("there"));
        String node = "node-" + cluster.namespace();
        cluster.admin().resource("""
                apiVersion: v1
                kind: Node
                metadata: {name: %1$s, labels: {kubernetes.io/hostname: host-of-%1$s}}
                """.formatted(node)).create();
        try {
            String storageClass = bench.storageClass(
                    "local",
                    Map.of("volumeType", "local", "assetRoot", "/mnt/disk"),
                    builder -> builder.withVolumeBindingMode("WaitForFirstConsumer"));
            bench.provisioner(builder -> builder.node(node));
            bench.provisioner(builder -> builder.node("another").root(there));
            bench.claim("photos", storageClass);
            bench.claim("unscheduled", storageClass);
            bench.awaitClaimsSettled(
                    storageClass,
                    claim -> claim.getMetadata().setAnnotations(Map.of("volume.kubernetes.io/selected-node", node)));
            assertThat(bench.volumes()).isEmpty();
            bench.annotate("photos", "volume.kubernetes.io/selected-node", node);
            PersistentVolume volume = bench.awaitBound("photos");
            assertThat(volume.getSpec().getLocal().getPath()).isEqualTo("/mnt/disk/" + bench.volumeName("photos"));
            assertThat(volume.getSpec().getNodeAffinity().toString()).contains("host-of-" + node);
            assertThat(bench.directory("photos")).isDirectory();
            bench.delete("photos");
            bench.awaitDeleted("photos");
            assertThat(bench.directories()).isEmpty();
            assertThat(DirectoryFixture.names(there)).containsExactly(".bucketwright");
            assertThat(bench.events(bench.volumeName("photos"), "VolumeFailedDelete"))
                    .isEmpty();
        } finally {
            cluster.admin().nodes().withName(node).delete();
        }
    }

    @Test
    void aSharedClassWithWaitForFirstConsumerIsServedWhenAnyNodeIsSelected() {
        String storageClass =
                bench.storageClass("waits", Map.of(), builder -> builder.withVolumeBindingMode("WaitForFirstConsumer"));
        bench.provisioner();
        bench.claim("photos", storageClass, Map.of("volume.kubernetes.io/selected-node", "any"));
        bench.awaitBound("photos");
    }
}
