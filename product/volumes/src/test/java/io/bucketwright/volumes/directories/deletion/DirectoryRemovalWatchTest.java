package io.bucketwright.volumes.directories.deletion;

import static org.assertj.core.api.Assertions.assertThat;

import io.bucketwright.runtime.ManualLeadership;
import io.bucketwright.runtime.ManualTime;
import io.bucketwright.runtime.testing.InMemoryApiServer;
import io.bucketwright.runtime.testing.InMemoryProcess;
import io.bucketwright.volumes.directories.classes.DirectorySettings;
import io.bucketwright.volumes.directories.files.PosixRootDirectory;
import io.bucketwright.volumes.directories.metrics.DirectoryMetrics;
import io.bucketwright.volumes.directories.objects.DirectoryCaches;
import io.bucketwright.volumes.directories.roots.Roots;
import io.fabric8.kubernetes.api.model.Namespace;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.api.model.PersistentVolume;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The watch of claims and the watch of volumes are not ordered: whichever is later adds the volume. */
class DirectoryRemovalWatchTest {

    @TempDir
    private Path root;

    private final InMemoryApiServer server = new InMemoryApiServer();
    private final ManualTime time = new ManualTime();
    private final ManualLeadership leadership = new ManualLeadership();
    private final InMemoryProcess process = new InMemoryProcess(server, time, leadership);
    private Roots roots;

    @BeforeEach
    void start() {
        Namespace _ = server.create(new NamespaceBuilder()
                .withNewMetadata()
                .withName("kube-system")
                .endMetadata()
                .build());
        roots = new Roots(List.of(root), PosixRootDirectory::new, leadership, time);
        DirectorySettings settings = new DirectorySettings(Set.of(), "example.com/directory", root, Map.of(), "", "");
        DirectoryRemovalController.register(
                process.context(),
                settings,
                new DirectoryCaches(process.context().caches(), settings),
                roots,
                new DirectoryMetrics(process.context().meters()));
        process.start();
    }

    @AfterEach
    void close() {
        roots.close();
        process.close();
    }

    @Test
    void aClaimThatIsDeletedBeforeItWasBoundAddsItsVolume() {
        String uid = createClaim();
        createVolume("team-photos-vol", uid);
        process.settle();
        server.edit(
                PersistentVolume.class,
                "",
                "team-photos-vol",
                volume -> volume.getStatus().setPhase("Released"));
        server.delete(PersistentVolumeClaim.class, "team", "photos");
        process.deliver(PersistentVolume.class);
        assertThat(process.runNext()).as("the claim is still in the cache").isTrue();
        assertThat(process.runNext()).isFalse();

        process.deliver(PersistentVolumeClaim.class);

        assertThat(process.runNext()).as("the volume is reconciled again").isTrue();
    }

    @Test
    void aClaimThatTakesADirectoryOverAddsTheVolumeOfTheEarlierClaim() {
        createVolume("team-photos-vol", "earlier");
        process.settle();

        createClaim();
        process.deliver(PersistentVolumeClaim.class);

        assertThat(process.runNext())
                .as("the volume of that name is reconciled")
                .isTrue();
    }

    private String createClaim() {
        return server.create(Serialization.unmarshal("""
                        metadata: {namespace: team, name: photos}
                        spec: {storageClassName: shared}
                        status: {phase: Pending}
                        """, PersistentVolumeClaim.class))
                .getMetadata()
                .getUid();
    }

    private void createVolume(String name, String claimUid) {
        PersistentVolume _ =
                server.create(Serialization.unmarshal("""
                metadata:
                  name: %s
                  finalizers: [external-provisioner.volume.kubernetes.io/finalizer]
                  annotations:
                    pv.kubernetes.io/provisioned-by: example.com/directory
                    bucketwright.io/directory-root: root-1
                    bucketwright.io/directory-claim-uid: %s
                spec:
                  storageClassName: shared
                  persistentVolumeReclaimPolicy: Delete
                  claimRef: {namespace: team, name: photos, uid: %s}
                status: {phase: Bound}
                """.formatted(name, claimUid, claimUid), PersistentVolume.class));
    }
}
