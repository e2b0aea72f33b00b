package io.bucketwright.volumes.directories;

import static org.assertj.core.api.Assertions.assertThat;

import io.bucketwright.runtime.ObjectKey;
import io.bucketwright.runtime.controller.Controller;
import io.bucketwright.volumes.directories.files.DirectoryTree;
import io.bucketwright.volumes.directories.files.Marker;
import io.bucketwright.volumes.directories.files.RootDirectory;
import io.bucketwright.volumes.directories.files.SampleMarkers;
import io.fabric8.kubernetes.api.model.PersistentVolume;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class DirectoryUsageTest extends InMemoryTestCase {

    private static final Duration INTERVAL = Duration.ofMinutes(1);

    private final CountDownLatch disk = new CountDownLatch(1);
    private final Marker marker = SampleMarkers.marker("team-photos-vol", "uid-1", "root-1");

    @Override
    RootDirectory directory(Path path) {
        return new InterceptedRootDirectory(path, (_, call) -> {
            disk.await();
            return call.get();
        });
    }

    @BeforeEach
    void createVolume() {
        PersistentVolume _ = createVolume("uid-1", "[]", "{namespace: team, name: photos, uid: uid-1}", "Bound");
    }

    @Test
    void volumesThatExistBeforeTheirRootIsOpenAreMeasured() throws IOException {
        DirectoryTree tree = SampleMarkers.tree(root);
        assertThat(tree.createMarker(marker)).isTrue();
        tree.create(marker);
        RootController.register(process.context(), settings, roots, caches, _ -> {}, _ -> {}, INTERVAL);
        Controller<ObjectKey> _ = DirectoryUsage.register(process.context(), roots, caches.volumes, INTERVAL);
        process.start().settle();
        disk.countDown();
        awaitMeasured();
    }

    @Test
    void aVolumeIsMeasuredOnceItsMarkerIsRestored() throws IOException {
        disk.countDown();
        DirectoryTree tree = SampleMarkers.tree(root);
        assertThat(tree.createMarker(marker)).isTrue();
        tree.create(marker);
        tree.removeMarker(marker);
        Controller<ObjectKey> usage = DirectoryUsage.register(process.context(), roots, caches.volumes, INTERVAL);
        RootController.register(process.context(), settings, roots, caches, _ -> {}, usage::add, INTERVAL);
        process.start();
        awaitThat(() -> assertThat(roots.at(root).state()).isInstanceOf(RootState.Open.class));
        process.settle();

        assertThat(tree.createMarker(marker)).isTrue();

        awaitMeasured();
    }

    private void awaitMeasured() {
        awaitThat(() -> {
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
}
