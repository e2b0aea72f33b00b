package io.bucketwright.volumes.directories;

import static io.bucketwright.testing.Eventually.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.bucketwright.runtime.engine.ControllerProcess;
import io.bucketwright.runtime.objects.Metadata;
import io.bucketwright.volumes.directories.files.RootDirectory;
import io.bucketwright.volumes.directories.files.RootIdentity;
import io.fabric8.kubernetes.api.model.PersistentVolume;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

/** Deletion, archiving and retention of directories after their claims are deleted. */
class ReleasedIT extends DirectoryTestBase {

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
        await("deletion of the volume")
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
        await("owner and mode for the second claim").untilAsserted(() -> {
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
        assertThat(DirectoryFixture.names(root)).isEmpty();
        Files.delete(root);
        Files.move(away, root);
        bench.awaitDeleted("photos");
        bench.awaitBound("late");
        await("settled").untilAsserted(bench::assertInvariants);
    }

    /** A snapshot of the root that was taken while an earlier claim's directory was being deleted. */
    @Test
    void aRootThatIsRolledBackToASnapshotRemovesNoLiveDirectory() throws Exception {
        String storageClass = bench.storageClass("new", Map.of());
        Path marker = root.resolve(".bucketwright").resolve(bench.volumeName("photos") + ".json");
        String snapshot;
        try (ControllerProcess _ = bench.provisioner()) {
            bench.provision("photos", storageClass);
            snapshot = Files.readString(marker).replace("\"held\"", "\"leaving\"");
            bench.delete("photos");
            bench.awaitDeleted("photos");
            bench.provision("photos", storageClass);
            Files.writeString(bench.directory("photos").resolve("file"), "precious");
        }
        assertThat(snapshot).contains("leaving");
        Files.writeString(marker, snapshot);
        bench.provisioner();
        bench.awaitSettled();
        assertThat(bench.directory("photos").resolve("file")).hasContent("precious");
        bench.delete("photos");
        bench.awaitEvent(bench.volumeName("photos"), FAILED, "created for another claim");
        assertThat(bench.directory("photos").resolve("file")).hasContent("precious");
    }

    /** The mount point of a missing disk may have an identity of its own, from a time when it was used by mistake. */
    @Test
    void aRootOfAnotherIdentityStaysClosedUntilItsVolumesAreGivenUp() throws Exception {
        Path away = temporary.resolve("away");
        String storageClass = bench.storageClass("new", Map.of());
        try (ControllerProcess _ = bench.provisioner()) {
            bench.provision("photos", storageClass);
        }
        String id = Metadata.annotation(
                bench.volume(bench.volumeName("photos")).orElseThrow(), "bucketwright.io/directory-root");
        Files.move(root, away);
        Files.createDirectory(root);
        new RootDirectory(root).initialize(new RootIdentity("mount-point", "cluster"));
        ControllerProcess provisioner = bench.provisioner();
        bench.claim("late", storageClass);
        bench.awaitEvent("late", "ProvisioningFailed", "has the id mount-point");
        assertThat(bench.events("late", "ProvisioningFailed").getFirst())
                .contains("its disk is not mounted")
                .contains("directory abandon --root-id " + id);
        assertThat(DirectoryFixture.names(root)).containsExactly(".bucketwright");
        HttpResponse<String> ready = DirectoryFixture.get(provisioner, "/readyz");
        assertThat(ready.statusCode()).isEqualTo(503);
        assertThat(ready.body()).contains("mount-point");
        // The administrator gives the disk up: the claim's volume is deleted, and the root is used.
        cluster.edit(
                bench.volume(bench.volumeName("photos")).orElseThrow(),
                volume -> volume.getMetadata().getAnnotations().put("bucketwright.io/directory-abandoned", "true"));
        bench.awaitBound("late");
        bench.delete("photos");
        bench.awaitDeleted("photos");
        bench.awaitEvent(bench.volumeName("photos"), "DirectoryAbandoned", "gave it up");
        await("readiness")
                .until(() -> DirectoryFixture.get(provisioner, "/readyz").statusCode() == 200);
        assertThat(away.resolve(bench.volumeName("photos"))).isDirectory();
    }

    /** What an administrator does to the markers is seen without a restart. */
    @Test
    void aRetainedDirectoryThatIsRemovedByHandIsForgotten() throws Exception {
        String storageClass = bench.storageClass("new", Map.of("onDelete", "retain"));
        bench.provisioner(builder -> builder.refreshInterval(Duration.ofSeconds(1)));
        bench.provision("photos", storageClass);
        bench.delete("photos");
        bench.awaitDeleted("photos");
        bench.claim("photos", storageClass);
        bench.awaitEvent("photos", "ProvisioningFailed", "reuse-existing");
        Files.delete(bench.directory("photos"));
        Files.delete(root.resolve(".bucketwright").resolve(bench.volumeName("photos") + ".json"));
        bench.awaitBound("photos");
    }

    /** Claims restored from a backup have new uids, and their volumes may not have been restored. */
    @Test
    void aRestoredClaimIsBoundToItsDirectory() throws Exception {
        String storageClass = bench.storageClass("new", Map.of());
        try (ControllerProcess _ = bench.provisioner()) {
            bench.provision("photos", storageClass);
            Files.writeString(bench.directory("photos").resolve("file"), "precious");
        }
        bench.delete("photos");
        bench.awaitPhase("photos", "Released");
        cluster.forceDelete(bench.volume(bench.volumeName("photos")).orElseThrow());
        bench.provisioner();
        bench.provision("photos", storageClass);
        assertThat(bench.directory("photos").resolve("file")).hasContent("precious");
        bench.assertInvariants();
    }

    /** The process of the node that had the disk does not run any more. */
    @Test
    void theVolumeOfADeletedNodeIsDeleted() throws Exception {
        String storageClass = bench.storageClass(
                "local",
                Map.of("volumeType", "local"),
                builder -> builder.withVolumeBindingMode("WaitForFirstConsumer"));
        String name = bench.volumeName("lost");
        PersistentVolume lost = bench.forgedVolume(
                name,
                storageClass,
                "/mnt/lost",
                Map.of(
                        "pv.kubernetes.io/provisioned-by",
                        bench.provisionerName(),
                        "bucketwright.io/directory-root",
                        "lost",
                        "bucketwright.io/directory-node",
                        "deleted-node"));
        lost.getMetadata().setFinalizers(List.of("external-provisioner.volume.kubernetes.io/finalizer"));
        bench.admin().resource(lost).create();
        bench.awaitPhase("lost", "Released");
        bench.admin().persistentVolumes().withName(name).editStatus(volume -> {
            volume.getStatus().setLastPhaseTransitionTime("2026-01-01T00:00:00Z");
            return volume;
        });
        bench.provisioner(builder -> builder.node("here"));
        await("deletion of the volume").until(() -> bench.volume(name).isEmpty());
        bench.awaitEvent(name, "DirectoryAbandoned", "deleted-node");
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
            await("deletion of the forged volume")
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
                .rootDirectories(path -> new InterceptedRootDirectory(path, (method, call) -> {
                    if (method.equals("emptyTrash") && large.get()) {
                        // The slice ends before anything is deleted, so that another one follows.
                        Thread.sleep(1100);
                    }
                    return call.get();
                })));
        bench.provision("huge", storageClass);
        Files.writeString(bench.directory("huge").resolve("file"), "x");
        bench.delete("huge");
        await("the directory to be moved to the trash").until(() -> !Files.exists(bench.directory("huge")));
        bench.provision("small", storageClass);
        assertThat(bench.trash()).isNotEmpty();
        large.set(false);
        bench.awaitDeleted("huge");
        await("settled").untilAsserted(bench::assertInvariants);
    }
}
