package io.bucketwright.volumes.directories;

import static org.assertj.core.api.Assertions.assertThat;

import io.bucketwright.runtime.engine.ControllerProcess;
import io.fabric8.kubernetes.api.model.PersistentVolume;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

/** Deletion, archiving and retention of directories after their claims are deleted. */
class ReleasedIT extends DirectoryFixture {

    private static final String FAILED = "VolumeFailedDelete";

    /** §2.2.4, §3.3: the class may be deleted, too. */
    @Test
    void volumesReleasedWhileNoProcessRanAreDeletedAtTheNextStartEvenWithoutTheirClass() throws Exception {
        String storageClass = bench.storageClass("new", Map.of());
        try (ControllerProcess _ = bench.provisioner()) {
            bench.provision("photos", storageClass);
            Files.writeString(bench.directory("photos").resolve("file"), "x");
        }
        bench.delete("photos");
        bench.awaitPhase("photos", "Released");
        bench.admin().storage().v1().storageClasses().withName(storageClass).delete();
        bench.provisioner();
        bench.awaitDeleted("photos");
        bench.awaitEmpty();
    }

    @Test
    void aRetainedDirectoryIsReusedOnlyOnRequest() throws Exception {
        String storageClass = bench.storageClass("keep", Map.of(), builder -> builder.withReclaimPolicy("Retain"));
        bench.provisioner();
        bench.provision("photos", storageClass);
        Files.writeString(bench.directory("photos").resolve("file"), "kept");
        bench.delete("photos");
        bench.awaitPhase("photos", "Released");
        bench.claim("photos", storageClass);
        bench.awaitEvent("photos", "ProvisioningFailed", "not owned by this claim");
        bench.deleteVolume("photos");
        DirectoryBench.await("deletion of the volume")
                .until(() -> bench.volume(bench.volumeName("photos")).isEmpty());
        bench.awaitEvent("photos", "ProvisioningFailed", "reuse-existing");
        assertThat(bench.directory("photos").resolve("file")).hasContent("kept");
        bench.annotate("photos", "storage-asset.pv.provisioner/reuse-existing", "true");
        bench.awaitBound("photos");
        assertThat(bench.directory("photos").resolve("file")).hasContent("kept");
        bench.assertInvariants();
    }

    /** As the volume releaser does: a volume without claimRef keeps its directory, empty or not, for the next claim. */
    @Test
    void anAvailableVolumeKeepsItsDirectoryAlsoAfterARestart() throws Exception {
        String storageClass = bench.storageClass("keep", Map.of(), builder -> builder.withReclaimPolicy("Retain"));
        try (ControllerProcess _ = bench.provisioner()) {
            bench.provision("first", storageClass);
            // What a pod can do to its volume must not hurt the next claim.
            Files.setAttribute(bench.directory("first"), "unix:mode", 0555);
            bench.delete("first");
            bench.awaitPhase("first", "Released");
            bench.editVolume("first", spec -> spec.setClaimRef(null));
            bench.awaitPhase("first", "Available");
            bench.awaitSettled();
        }
        bench.provisioner();
        bench.awaitSettled();
        assertThat(bench.directory("first")).isDirectory();
        bench.claim("second", storageClass, Map.of("storage.asset/owner-uid", "1234"));
        assertThat(bench.awaitBound("second").getMetadata().getName()).isEqualTo(bench.volumeName("first"));
        DirectoryBench.await("owner and mode for the second claim").untilAsserted(() -> {
            assertThat(Files.getAttribute(bench.directory("first"), "unix:uid")).isEqualTo(1234);
            assertThat((int) Files.getAttribute(bench.directory("first"), "unix:mode") & 07777)
                    .isEqualTo(0770);
        });
        Files.writeString(bench.directory("first").resolve("file"), "kept");
        bench.delete("second");
        bench.awaitPhase("first", "Released");
        bench.editVolume("first", spec -> spec.setPersistentVolumeReclaimPolicy("Delete"));
        bench.awaitEmpty();
    }

    @Test
    void onDeleteRetainKeepsTheDirectoryOfADeletedVolume() throws Exception {
        String storageClass = bench.start(Map.of("onDelete", "retain"));
        bench.provision("photos", storageClass);
        bench.delete("photos");
        bench.awaitDeleted("photos");
        assertThat(bench.directory("photos")).isDirectory();
        assertThat(bench.markers()).containsExactly(bench.volumeName("photos"));
    }

    @Test
    void everyDeletionCreatesAnArchiveOfItsOwn() throws Exception {
        String storageClass = bench.start(Map.of("onDelete", "archive"));
        for (int i = 0; i < 3; i++) {
            bench.provision("photos", storageClass);
            Files.writeString(bench.directory("photos").resolve("file"), "version " + i);
            bench.delete("photos");
            bench.awaitDeleted("photos");
        }
        bench.awaitEmpty();
        assertThat(bench.archive().stream().filter(name -> !name.endsWith(".json")))
                .hasSize(3);
    }

    /** §3.4: an unmounted disk is not an empty disk. */
    @Test
    void anUnmountedRootIsReportedAndNothingIsTreatedAsDeleted() throws Exception {
        Path away = temporary.resolve("away");
        String storageClass = bench.start(Map.of());
        bench.claim("photos", storageClass);
        bench.claim("stays", storageClass);
        bench.awaitBound("photos");
        bench.awaitBound("stays");
        Files.writeString(bench.directory("photos").resolve("file"), "precious");
        Files.move(root, away);
        Files.createDirectory(root);
        bench.delete("photos");
        bench.awaitEvent(bench.volumeName("photos"), FAILED, "mounted");
        bench.claim("late", storageClass);
        bench.awaitEvent("late", "ProvisioningFailed", "mounted");
        bench.deleteVolume("photos");
        bench.awaitSettled();
        assertThat(bench.volume(bench.volumeName("photos"))).isPresent();
        assertThat(DirectoryBench.names(root)).isEmpty();
        Files.delete(root);
        Files.move(away, root);
        bench.awaitDeleted("photos");
        bench.awaitBound("late");
        DirectoryBench.await("settled").untilAsserted(bench::assertInvariants);
    }

    @Test
    void aMissingDirectoryIsReportedUntilTheVolumeIsDeleted() throws Exception {
        String storageClass = bench.start(Map.of());
        bench.provision("photos", storageClass);
        Files.delete(bench.directory("photos"));
        bench.delete("photos");
        bench.awaitEvent(bench.volumeName("photos"), FAILED, "missing");
        assertThat(bench.volume(bench.volumeName("photos"))).isPresent();
        bench.deleteVolume("photos");
        bench.awaitDeleted("photos");
    }

    /** §2.2.2: whoever could create volumes could have the root, or another directory, removed. */
    @Test
    void aForgedVolumeRemovesNothing() throws Exception {
        String storageClass = bench.start(Map.of());
        PersistentVolume victim = bench.provision("victim", storageClass);
        Files.writeString(bench.directory("victim").resolve("file"), "precious");
        String forged = cluster.namespace() + "-forged";
        // The API server rejects ".." in a path.
        for (String path :
                new String[] {"/", root.toString(), bench.directory("victim").toString()}) {
            PersistentVolume volume = bench.forgedVolume(
                    forged, storageClass, path, victim.getMetadata().getAnnotations());
            bench.admin().resource(volume).create();
            bench.awaitEvent(forged, FAILED, "marker");
            bench.admin().resource(volume).delete();
            DirectoryBench.await("deletion of the forged volume")
                    .until(() -> bench.volume(forged).isEmpty());
        }
        assertThat(bench.directory("victim").resolve("file")).hasContent("precious");
        bench.assertInvariants();
    }

    @Test
    void otherClaimsAreServedWhileALargeTreeIsDeleted() throws Exception {
        AtomicBoolean large = new AtomicBoolean(true);
        String storageClass = bench.storageClass("new", Map.of());
        bench.provisioner(builder -> builder.workers(1)
                .rootDirectories(path -> InterceptedRootDirectory.of(path, (method, call) -> {
                    if (method.equals("emptyTrash") && large.get()) {
                        // The slice ends before anything is deleted, so that another one follows.
                        Thread.sleep(1100);
                    }
                    return call.proceed();
                })));
        bench.provision("huge", storageClass);
        Files.writeString(bench.directory("huge").resolve("file"), "x");
        bench.delete("huge");
        DirectoryBench.await("the directory to be moved to the trash")
                .until(() -> !Files.exists(bench.directory("huge")));
        bench.provision("small", storageClass);
        assertThat(bench.trash()).isNotEmpty();
        large.set(false);
        bench.awaitDeleted("huge");
        DirectoryBench.await("settled").untilAsserted(bench::assertInvariants);
    }
}
