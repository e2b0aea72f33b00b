package io.bucketwright.volumes.directories;

import static org.awaitility.Awaitility.await;

import io.bucketwright.runtime.ManualLeadership;
import io.bucketwright.runtime.ManualTime;
import io.bucketwright.runtime.testing.InMemoryApiServer;
import io.bucketwright.runtime.testing.InMemoryProcess;
import io.bucketwright.volumes.directories.classes.DirectorySettings;
import io.bucketwright.volumes.directories.files.RootDirectory;
import io.fabric8.kubernetes.api.model.PersistentVolume;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.awaitility.core.ThrowingRunnable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** A root on a real file system, and a process whose API server is in memory. */
abstract class InMemoryTestCase {

    @TempDir
    Path root;

    final InMemoryApiServer server = new InMemoryApiServer();
    final ManualTime time = new ManualTime();
    final ManualLeadership leadership = new ManualLeadership();
    final InMemoryProcess process = new InMemoryProcess(server, time, leadership);
    DirectorySettings settings;
    DirectoryCaches caches;
    Roots roots;

    @BeforeEach
    void openRoots() {
        settings = new DirectorySettings(Set.of(), "example.com/directory", root, Map.of(), "", "");
        caches = new DirectoryCaches(process.context().caches(), settings);
        roots = new Roots(List.of(root), this::directory, leadership, time);
    }

    @AfterEach
    void close() {
        roots.close();
        process.close();
    }

    /** The directory of the root. */
    RootDirectory directory(Path path) {
        return new RootDirectory(path);
    }

    void awaitThat(ThrowingRunnable assertion) {
        await().atMost(Duration.ofSeconds(20)).untilAsserted(() -> {
            process.settle();
            assertion.run();
        });
    }

    /**
     * Creates the volume of claim team/photos with this uid.
     *
     * @param finalizers as a YAML list
     * @param claimRef as a YAML map
     */
    PersistentVolume createVolume(String claimUid, String finalizers, String claimRef, String phase) {
        return server.create(
                Serialization.unmarshal("""
                metadata:
                  name: team-photos-vol
                  finalizers: %s
                  annotations:
                    pv.kubernetes.io/provisioned-by: example.com/directory
                    bucketwright.io/directory-root: root-1
                    bucketwright.io/directory-claim-uid: %s
                spec:
                  storageClassName: shared
                  persistentVolumeReclaimPolicy: Delete
                  claimRef: %s
                status: {phase: %s}
                """.formatted(finalizers, claimUid, claimRef, phase), PersistentVolume.class));
    }
}
