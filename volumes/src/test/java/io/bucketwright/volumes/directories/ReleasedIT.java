package io.bucketwright.volumes.directories;

import static org.assertj.core.api.Assertions.assertThat;

import io.bucketwright.testing.ApiUser;
import io.bucketwright.testing.OnCluster;
import io.bucketwright.testing.TestCluster;
import io.fabric8.kubernetes.api.model.PersistentVolume;
import io.fabric8.kubernetes.api.model.PersistentVolumeBuilder;
import io.fabric8.kubernetes.api.model.Quantity;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What becomes of directories whose claims are gone. */
@OnCluster
class ReleasedIT {

    private static final String FAILED = "VolumeFailedDelete";

    @TempDir
    private Path root;

    /** §2.2.4, and §3.3: the class may be gone by then, too. */
    @Test
    void volumesReleasedWhileNobodyRanGoAtTheNextStartEvenIfTheirClassIsGone(TestCluster cluster) throws Exception {
        ApiUser user = DirectoryBench.account(cluster, "directories");
        try (DirectoryBench bench = new DirectoryBench(cluster, root)) {
            String storageClass = bench.storageClass("new", Map.of());
            try (DirectoryProvisioner _ = bench.provisioner(user)) {
                bench.claim("photos", storageClass);
                bench.awaitBound("photos");
                Files.writeString(bench.directory("photos").resolve("file"), "x");
            }
            bench.delete("photos");
            awaitPhase(bench, "photos", "Released");
            bench.admin().storage().v1().storageClasses().withName(storageClass).delete();
            bench.provisioner(user);
            bench.awaitGone("photos");
            DirectoryBench.await("nothing left")
                    .until(() ->
                            bench.directories().isEmpty() && bench.markers().isEmpty());
        }
    }

    @Test
    void aRetainedDirectoryComesBackToItsClaimAndToNoOther(TestCluster cluster) throws Exception {
        ApiUser user = DirectoryBench.account(cluster, "directories");
        try (DirectoryBench bench = new DirectoryBench(cluster, root)) {
            String storageClass = bench.storageClass("keep", Map.of(), builder -> builder.withReclaimPolicy("Retain"));
            bench.provisioner(user);
            bench.claim("photos", storageClass);
            bench.awaitBound("photos");
            Files.writeString(bench.directory("photos").resolve("file"), "kept");
            bench.delete("photos");
            awaitPhase(bench, "photos", "Released");
            bench.claim("photos", storageClass);
            bench.awaitTold("photos", "ProvisioningFailed", "not this claim's");
            bench.admin()
                    .persistentVolumes()
                    .withName(bench.volumeName("photos"))
                    .delete();
            DirectoryBench.await("the volume to go")
                    .until(() -> bench.volume(bench.volumeName("photos")).isEmpty());
            bench.awaitTold("photos", "ProvisioningFailed", "reuse-existing");
            assertThat(bench.directory("photos").resolve("file")).hasContent("kept");
            bench.admin().resource(bench.get("photos").orElseThrow()).edit(it -> {
                it.getMetadata().getAnnotations().put("storage-asset.pv.provisioner/reuse-existing", "true");
                return it;
            });
            bench.awaitBound("photos");
            assertThat(bench.directory("photos").resolve("file")).hasContent("kept");
            bench.assertInvariants();
        }
    }

    /** The releaser's half: a volume whose claimRef was cleared keeps its directory, empty or not, for the next claim. */
    @Test
    void aVolumeThatWasMadeAvailableAgainKeepsItsDirectoryAlsoOverARestart(TestCluster cluster) throws Exception {
        ApiUser user = DirectoryBench.account(cluster, "directories");
        try (DirectoryBench bench = new DirectoryBench(cluster, root)) {
            String storageClass = bench.storageClass("keep", Map.of(), builder -> builder.withReclaimPolicy("Retain"));
            try (DirectoryProvisioner _ = bench.provisioner(user)) {
                bench.claim("first", storageClass);
                bench.awaitBound("first");
                bench.delete("first");
                awaitPhase(bench, "first", "Released");
                bench.admin()
                        .persistentVolumes()
                        .withName(bench.volumeName("first"))
                        .edit(it -> {
                            it.getSpec().setClaimRef(null);
                            return it;
                        });
                awaitPhase(bench, "first", "Available");
                bench.awaitQuiet();
            }
            bench.provisioner(user);
            bench.awaitQuiet();
            assertThat(bench.directory("first")).isDirectory();
            bench.claim("second", storageClass);
            assertThat(bench.awaitBound("second").getMetadata().getName()).isEqualTo(bench.volumeName("first"));
            Files.writeString(bench.directory("first").resolve("file"), "kept");
            bench.delete("second");
            awaitPhase(bench, "first", "Released");
            bench.admin()
                    .persistentVolumes()
                    .withName(bench.volumeName("first"))
                    .edit(it -> {
                        it.getSpec().setPersistentVolumeReclaimPolicy("Delete");
                        return it;
                    });
            DirectoryBench.await("all to go")
                    .until(() -> bench.volumes().isEmpty()
                            && bench.directories().isEmpty()
                            && bench.markers().isEmpty());
        }
    }

    @Test
    void theClassMayKeepTheDirectoryThoughTheVolumeGoes(TestCluster cluster) throws Exception {
        ApiUser user = DirectoryBench.account(cluster, "directories");
        try (DirectoryBench bench = new DirectoryBench(cluster, root)) {
            String storageClass = bench.storageClass("keep", Map.of("onDelete", "retain"));
            bench.provisioner(user);
            bench.claim("photos", storageClass);
            bench.awaitBound("photos");
            bench.delete("photos");
            bench.awaitGone("photos");
            assertThat(bench.directory("photos")).isDirectory();
            assertThat(bench.markers()).containsExactly(bench.volumeName("photos"));
        }
    }

    @Test
    void anArchiveIsMadeEachTimeAndNoneReplacesAnother(TestCluster cluster) throws Exception {
        ApiUser user = DirectoryBench.account(cluster, "directories");
        try (DirectoryBench bench = new DirectoryBench(cluster, root)) {
            String storageClass = bench.storageClass("archive", Map.of("onDelete", "archive"));
            bench.provisioner(user);
            for (int i = 0; i < 3; i++) {
                bench.claim("photos", storageClass);
                bench.awaitBound("photos");
                Files.writeString(bench.directory("photos").resolve("file"), "version " + i);
                bench.delete("photos");
                bench.awaitGone("photos");
            }
            DirectoryBench.await("the last marker to go")
                    .until(() -> bench.markers().isEmpty());
            assertThat(bench.archive().stream().filter(name -> !name.endsWith(".json")))
                    .hasSize(3);
            assertThat(bench.directories()).isEmpty();
        }
    }

    /** §3.4: an unmounted disk is no empty disk. */
    @Test
    void anUnmountedRootIsReportedAndNothingIsTakenForDeleted(TestCluster cluster) throws Exception {
        ApiUser user = DirectoryBench.account(cluster, "directories");
        Path mounted = Files.createDirectory(root.resolve("mounted"));
        Path away = root.resolve("away");
        try (DirectoryBench bench = new DirectoryBench(cluster, mounted)) {
            String storageClass = bench.storageClass("new", Map.of());
            bench.provisioner(user);
            bench.claim("photos", storageClass);
            bench.claim("stays", storageClass);
            bench.awaitBound("photos");
            bench.awaitBound("stays");
            Files.writeString(bench.directory("photos").resolve("file"), "precious");
            Files.move(mounted, away);
            Files.createDirectory(mounted);
            bench.delete("photos");
            bench.awaitTold(bench.volumeName("photos"), FAILED, "mounted");
            bench.claim("late", storageClass);
            bench.awaitTold("late", "ProvisioningFailed", "mounted");
            bench.admin()
                    .persistentVolumes()
                    .withName(bench.volumeName("photos"))
                    .delete();
            bench.awaitQuiet();
            assertThat(bench.volume(bench.volumeName("photos"))).isPresent();
            assertThat(DirectoryBench.names(mounted)).isEmpty();
            Files.delete(mounted);
            Files.move(away, mounted);
            bench.awaitGone("photos");
            bench.awaitBound("late");
            DirectoryBench.await("settled").untilAsserted(bench::assertInvariants);
        }
    }

    @Test
    void aMissingDirectoryIsReportedUntilSomebodyDeletesTheVolume(TestCluster cluster) throws Exception {
        ApiUser user = DirectoryBench.account(cluster, "directories");
        try (DirectoryBench bench = new DirectoryBench(cluster, root)) {
            String storageClass = bench.storageClass("new", Map.of());
            bench.provisioner(user);
            bench.claim("photos", storageClass);
            bench.awaitBound("photos");
            Files.delete(bench.directory("photos"));
            bench.delete("photos");
            bench.awaitTold(bench.volumeName("photos"), FAILED, "missing");
            assertThat(bench.volume(bench.volumeName("photos"))).isPresent();
            bench.admin()
                    .persistentVolumes()
                    .withName(bench.volumeName("photos"))
                    .delete();
            bench.awaitGone("photos");
        }
    }

    /** §2.2.2: whoever could make volumes could once have the root, or a neighbour, removed. */
    @Test
    void aForgedVolumeRemovesNothing(TestCluster cluster) throws Exception {
        ApiUser user = DirectoryBench.account(cluster, "directories");
        try (DirectoryBench bench = new DirectoryBench(cluster, root)) {
            String storageClass = bench.storageClass("new", Map.of());
            bench.provisioner(user);
            bench.claim("victim", storageClass);
            PersistentVolume victim = bench.awaitBound("victim");
            Files.writeString(bench.directory("victim").resolve("file"), "precious");
            String forged = cluster.namespace() + "-forged";
            // The API server itself refuses ".." in a path.
            for (String path : new String[] {
                "/", root.toString(), bench.directory("victim").toString()
            }) {
                PersistentVolume volume = new PersistentVolumeBuilder()
                        .withNewMetadata()
                        .withName(forged)
                        .withAnnotations(victim.getMetadata().getAnnotations())
                        .endMetadata()
                        .withNewSpec()
                        .addToCapacity("storage", new Quantity("1Mi"))
                        .withAccessModes("ReadWriteOnce")
                        .withPersistentVolumeReclaimPolicy("Delete")
                        .withStorageClassName(storageClass)
                        .withNewHostPath()
                        .withPath(path)
                        .endHostPath()
                        .withNewClaimRef()
                        .withNamespace(bench.namespace())
                        .withName("never")
                        .withUid("00000000-0000-0000-0000-000000000000")
                        .endClaimRef()
                        .endSpec()
                        .build();
                bench.admin().resource(volume).create();
                bench.awaitTold(forged, FAILED, "marker");
                bench.admin().resource(volume).delete();
                DirectoryBench.await("the forged one to go")
                        .until(() -> bench.volume(forged).isEmpty());
            }
            assertThat(bench.directory("victim").resolve("file")).hasContent("precious");
            bench.assertInvariants();
        }
    }

    @Test
    void aHugeTreeGoesInTheBackgroundWhileOthersAreServed(TestCluster cluster) throws Exception {
        ApiUser user = DirectoryBench.account(cluster, "directories");
        try (DirectoryBench bench = new DirectoryBench(cluster, root)) {
            String storageClass = bench.storageClass("new", Map.of());
            bench.provisioner(user, builder -> builder.workers(1));
            bench.claim("huge", storageClass);
            bench.awaitBound("huge");
            fill(bench.directory("huge"), 200, 300);
            bench.delete("huge");
            DirectoryBench.await("it to be out of reach").until(() -> !Files.exists(bench.directory("huge")));
            bench.claim("small", storageClass);
            bench.awaitBound("small");
            bench.awaitGone("huge");
            DirectoryBench.await("settled").untilAsserted(bench::assertInvariants);
        }
    }

    private static void fill(Path directory, int directories, int files) throws IOException {
        for (int i = 0; i < directories; i++) {
            Path child = Files.createDirectory(directory.resolve("d" + i));
            for (int j = 0; j < files; j++) {
                Files.createFile(child.resolve("f" + j));
            }
        }
    }

    private static void awaitPhase(DirectoryBench bench, String claim, String phase) {
        DirectoryBench.await("volume of " + claim + " to be " + phase)
                .until(() -> bench.volume(bench.volumeName(claim))
                        .filter(it -> phase.equals(it.getStatus().getPhase()))
                        .isPresent());
    }
}
