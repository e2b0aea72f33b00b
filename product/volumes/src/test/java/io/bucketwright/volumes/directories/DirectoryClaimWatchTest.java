package io.bucketwright.volumes.directories;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.bucketwright.volumes.directories.files.ClaimIdentity;
import io.bucketwright.volumes.directories.files.DirectoryTree;
import io.bucketwright.volumes.directories.files.Marker;
import io.bucketwright.volumes.directories.files.RootDirectory;
import io.bucketwright.volumes.directories.files.SampleMarkers;
import io.fabric8.kubernetes.api.model.Namespace;
import io.fabric8.kubernetes.api.model.PersistentVolume;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.fabric8.kubernetes.api.model.storage.StorageClass;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A claim that waits is reconciled again when that changes which it waits for. */
class DirectoryClaimWatchTest extends InMemoryTestCase {

    private static final Duration INTERVAL = Duration.ofSeconds(30);

    private final AtomicBoolean enforcesQuota = new AtomicBoolean();
    private DirectoryTree tree;
    private String cluster;

    @BeforeEach
    void register() throws IOException {
        cluster = namespace("kube-system");
        tree = SampleMarkers.tree(root);
        DirectoryMetrics metrics = new DirectoryMetrics(process.context().meters());
        RootController.register(
                process.context(),
                settings,
                roots,
                caches,
                DirectoryClaimController.register(process.context(), settings, caches, roots, metrics, () -> "")::add,
                _ -> {},
                INTERVAL);
    }

    @Override
    RootDirectory directory(Path path) {
        return new InterceptedRootDirectory(
                path, (method, call) -> method.equals("setQuota") ? (Object) enforcesQuota.get() : call.get());
    }

    /** The claim took the directory over before the volume of an earlier claim was created, late, and was deleted then. */
    @Test
    void theDirectoryOfADeletedClaimIsRemovedWhenTheVolumeOfAnEarlierClaimIsDeleted() throws IOException {
        Marker marker = marker("later");
        assertThat(tree.createMarker(marker)).isTrue();
        tree.create(marker);
        volume("earlier");
        process.start();
        awaitThat(() -> assertThat(roots.markerOfClaim("later")).isPresent());
        process.settle();

        server.delete(PersistentVolume.class, "", "team-photos-vol");

        awaitThat(() -> assertThat(tree.markers()).isEmpty());
        assertThat(root.resolve("team-photos-vol")).doesNotExist();
    }

    /** Its directory is empty and has no claim any more; the caches of the new leader have shown neither. */
    @Test
    void aVolumeThatTheFormerLeaderCreatedKeepsItsDirectory() throws IOException {
        Marker marker = marker("former");
        assertThat(tree.createMarker(marker)).isTrue();
        tree.create(marker);
        leadership.lose();
        process.start();
        volume("former");
        leadership.gainAfterAnotherLeader();
        AtomicInteger rounds = new AtomicInteger();
        await().atMost(Duration.ofSeconds(20)).until(() -> {
            process.runNext();
            return roots.markerOfClaim("former").isPresent() && rounds.incrementAndGet() > 20;
        });
        assertThat(root.resolve("team-photos-vol")).isDirectory();
        assertThat(tree.markers()).hasSize(1);
    }

    /** The directory is not empty, so it is kept for the claim until the file system enforces its size. */
    @Test
    void aClaimThatReusesADirectoryIsProvisionedOnceTheFileSystemEnforcesQuotas() throws IOException {
        storageClass("projectQuota: require");
        String namespace = namespace("team");
        String uid = claim();
        Marker marker = marker(uid).adoptedBy(cluster, new ClaimIdentity("team", "photos", uid, namespace));
        assertThat(tree.createMarker(marker)).isTrue();
        tree.create(marker);
        Files.writeString(root.resolve("team-photos-vol/file"), "content");
        process.start();
        for (int round = 0; round < 10; round++) {
            process.settle();
            time.advance(INTERVAL);
        }
        assertThat(process.events())
                .hasSize(1)
                .allSatisfy(event -> assertThat(event.getNote()).contains("prjquota"));

        enforcesQuota.set(true);

        awaitThat(() -> {
            time.advance(Duration.ofMinutes(5));
            assertThat(server.get(PersistentVolume.class, "", "team-photos-vol"))
                    .isPresent();
        });
    }

    @Test
    void theDeletionOfAVolumeThatIsNamedByUidAddsTheClaim() {
        String uid = claim();
        PersistentVolume _ = server.create(
                Serialization.unmarshal("metadata: {name: pvc-%s}\nspec: {}".formatted(uid), PersistentVolume.class));
        process.start().settle();

        server.delete(PersistentVolume.class, "", "pvc-" + uid);
        process.deliver(PersistentVolume.class);

        assertThat(process.runNext()).as("the claim is reconciled again").isTrue();
    }

    private Marker marker(String claimUid) {
        return SampleMarkers.marker("team-photos-vol", claimUid, "root-1")
                .adoptedBy(cluster, new ClaimIdentity("team", "photos", claimUid, "ns-uid"));
    }

    private String namespace(String name) {
        return server.create(Serialization.unmarshal("metadata: {name: %s}".formatted(name), Namespace.class))
                .getMetadata()
                .getUid();
    }

    private void storageClass(String parameter) {
        StorageClass _ = server.create(Serialization.unmarshal("""
                metadata: {name: shared}
                provisioner: example.com/directory
                parameters: {defaultOwnerAssetUid: "1000", defaultOwnerAssetGid: "1000", %s}
                """.formatted(parameter), StorageClass.class));
    }

    private String claim() {
        return server.create(Serialization.unmarshal("""
                        metadata:
                          namespace: team
                          name: photos
                          annotations: {volume.kubernetes.io/storage-provisioner: example.com/directory}
                        spec: {storageClassName: shared, resources: {requests: {storage: 1Gi}}}
                        status: {phase: Pending}
                        """, PersistentVolumeClaim.class))
                .getMetadata()
                .getUid();
    }

    private void volume(String claimUid) {
        PersistentVolume _ = createVolume(
                claimUid, "[]", "{namespace: team, name: photos, uid: %s}".formatted(claimUid), "Released");
    }
}
