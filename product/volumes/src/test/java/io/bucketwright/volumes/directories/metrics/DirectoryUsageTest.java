package io.bucketwright.volumes.directories.metrics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.bucketwright.runtime.ManualLeadership;
import io.bucketwright.runtime.ManualTime;
import io.bucketwright.runtime.ObjectKey;
import io.bucketwright.runtime.controller.Controller;
import io.bucketwright.runtime.testing.InMemoryApiServer;
import io.bucketwright.runtime.testing.InMemoryProcess;
import io.bucketwright.volumes.directories.InterceptedRootDirectory;
import io.bucketwright.volumes.directories.classes.DirectorySettings;
import io.bucketwright.volumes.directories.files.DirectoryTree;
import io.bucketwright.volumes.directories.files.Marker;
import io.bucketwright.volumes.directories.files.PosixRootDirectory;
import io.bucketwright.volumes.directories.files.SampleMarkers;
import io.bucketwright.volumes.directories.objects.DirectoryCaches;
import io.bucketwright.volumes.directories.roots.RootController;
import io.bucketwright.volumes.directories.roots.RootState;
import io.bucketwright.volumes.directories.roots.Roots;
import io.fabric8.kubernetes.api.model.PersistentVolume;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DirectoryUsageTest {

    private static final Duration INTERVAL = Duration.ofMinutes(1);

    @TempDir
    private Path path;

    private final InMemoryApiServer server = new InMemoryApiServer();
    private final ManualTime time = new ManualTime();
    private final ManualLeadership leadership = new ManualLeadership();
    private final Marker marker = SampleMarkers.marker("team-photos-vol", "uid-1", "root-1");

    @Test
    void volumesThatExistBeforeTheirRootIsOpenAreMeasured() throws IOException {
        DirectoryTree tree = SampleMarkers.tree(path);
        assertThat(tree.createMarker(marker)).isTrue();
        tree.create(marker);
        createVolume();
        CountDownLatch disk = new CountDownLatch(1);
        try (Roots roots = new Roots(
                        List.of(path),
                        directory -> InterceptedRootDirectory.of(directory, (_, call) -> {
                            disk.await();
                            return call.proceed();
                        }),
                        leadership,
                        time);
                InMemoryProcess process = new InMemoryProcess(server, time, leadership)) {
            DirectorySettings settings =
                    new DirectorySettings(Set.of(), "example.com/directory", path, Map.of(), "", "");
            DirectoryCaches caches = new DirectoryCaches(process.context().caches(), settings);
            RootController.register(process.context(), settings, roots, caches, _ -> {}, _ -> {}, INTERVAL);
            Controller<ObjectKey> _ = DirectoryUsage.register(process.context(), roots, caches.volumes, INTERVAL);
            process.start().settle();
            disk.countDown();
            awaitMeasured(process);
        }
    }

    @Test
    void aVolumeIsMeasuredOnceItsMarkerIsRestored() throws IOException {
        DirectoryTree tree = SampleMarkers.tree(path);
        assertThat(tree.createMarker(marker)).isTrue();
        tree.create(marker);
        tree.removeMarker(marker);
        createVolume();
        try (Roots roots = new Roots(List.of(path), PosixRootDirectory::new, leadership, time);
                InMemoryProcess process = new InMemoryProcess(server, time, leadership)) {
            DirectorySettings settings =
                    new DirectorySettings(Set.of(), "example.com/directory", path, Map.of(), "", "");
            DirectoryCaches caches = new DirectoryCaches(process.context().caches(), settings);
            Controller<ObjectKey> usage = DirectoryUsage.register(process.context(), roots, caches.volumes, INTERVAL);
            RootController.register(process.context(), settings, roots, caches, _ -> {}, usage::add, INTERVAL);
            process.start();
            await().atMost(Duration.ofSeconds(20)).untilAsserted(() -> {
                process.settle();
                assertThat(roots.at(path).state()).isInstanceOf(RootState.Open.class);
            });
            process.settle();

            assertThat(tree.createMarker(marker)).isTrue();

            awaitMeasured(process);
        }
    }

    private void awaitMeasured(InMemoryProcess process) {
        await().atMost(Duration.ofSeconds(20)).untilAsserted(() -> {
            time.advance(INTERVAL);
            process.settle();
            assertThat(process.context()
                            .meters()
                            .find("bucketwright.directory.requested")
                            .tag("volume", "team-photos-vol")
                            .gauges())
                    .hasSize(1);
        });
    }

    private void createVolume() {
        PersistentVolume _ = server.create(Serialization.unmarshal("""
                metadata:
                  name: team-photos-vol
                  annotations: {bucketwright.io/directory-claim-uid: uid-1}
                spec:
                  storageClassName: shared
                  claimRef: {namespace: team, name: photos, uid: uid-1}
                status: {phase: Bound}
                """, PersistentVolume.class));
    }
}
