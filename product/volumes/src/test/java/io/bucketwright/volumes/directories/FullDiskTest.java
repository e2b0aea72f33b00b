package io.bucketwright.volumes.directories;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.bucketwright.runtime.ManualLeadership;
import io.bucketwright.runtime.ManualTime;
import io.bucketwright.runtime.controller.Outcome;
import io.bucketwright.runtime.controller.Result;
import io.bucketwright.volumes.directories.files.Marker;
import io.bucketwright.volumes.directories.files.RootDirectory;
import io.bucketwright.volumes.directories.files.RootIdentity;
import io.bucketwright.volumes.directories.files.SampleMarkers;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A root on a small file system that tenants have filled. Mounting one needs root. */
class FullDiskTest {

    @TempDir
    private Path path;

    private final ManualLeadership leadership = new ManualLeadership();
    private final ManualTime time = new ManualTime();
    private final Runnable caller = new AtomicInteger()::incrementAndGet;
    private final Marker first = SampleMarkers.marker("team-photos-vol", "uid-1", "root-1");
    private final Marker second = SampleMarkers.marker("team-videos-vol", "uid-2", "root-1");
    private boolean mounted;
    private Roots roots;
    private Root root;
    private RootDirectories directories;

    @BeforeEach
    void mount() throws Exception {
        mounted = exec("mount", "-t", "tmpfs", "-o", "size=2m", "tmpfs", path.toString()) == 0;
        boolean required =
                Stream.ofNullable(System.getenv("BUCKETWRIGHT_REQUIRE")).anyMatch(it -> it.contains("node"));
        Assumptions.assumeTrue(mounted || required, "a file system can be mounted only by root");
        assertThat(mounted).isTrue();
        new RootDirectory(path).initialize(new RootIdentity("root-1", "cluster-1"));
        roots = new Roots(List.of(path), RootDirectory::new, leadership, time);
        root = roots.at(path);
        await().atMost(Duration.ofMinutes(1)).until(() -> open().equals(Outcome.progress()));
        AtomicReference<RootDirectories> opened = new AtomicReference<>();
        await().atMost(Duration.ofMinutes(1))
                .until(() -> root.run(
                                caller,
                                open -> {
                                    opened.set(open);
                                    return Outcome.progress();
                                },
                                FullDiskTest::failed)
                        .equals(Outcome.progress()));
        directories = opened.get();
    }

    private Outcome open() throws InterruptedException {
        return root.open(caller, RootDirectory::identity, () -> "cluster-1", _ -> {}, FullDiskTest::failed);
    }

    @AfterEach
    void unmount() throws Exception {
        if (mounted) {
            roots.close();
            assertThat(exec("umount", path.toString())).isZero();
        }
    }

    private static int exec(String... command) throws Exception {
        return new ProcessBuilder(command).inheritIO().start().waitFor();
    }

    private static Outcome failed(IOException e) {
        return Outcome.finish(Result.retry(String.valueOf(e.getMessage())));
    }

    /** A tenant writes until the disk is full. */
    private void fill() {
        assertThatThrownBy(() -> {
                    try (OutputStream file = Files.newOutputStream(path.resolve("team-photos-vol/file"))) {
                        while (true) {
                            file.write(new byte[4096]);
                        }
                    }
                })
                .hasMessageContaining("No space left");
    }

    private void create(Marker marker) throws IOException {
        assertThat(directories.createMarker(marker, 2 * marker.bytes())).isTrue();
        directories.create(marker);
    }

    @Test
    void aFullDiskIsReportedAndIsFreedByDeletingTheVolumeThatFilledIt() throws Exception {
        RootHealth health = new RootHealth(roots, leadership, time);
        create(first);
        fill();
        for (int i = 0; i < 3; i++) {
            assertThatThrownBy(() -> create(second)).hasMessageContaining("no space left");
        }
        assertThat(root.markers().requestedByOthers(""))
                .as("nothing is reserved")
                .isEqualTo(first.bytes());
        try (Stream<Path> files = Files.list(path.resolve(".bucketwright"))) {
            assertThat(files.map(file -> file.getFileName().toString())).noneMatch(name -> name.startsWith(".tmp-"));
        }
        root.refresh(directories);
        assertThat(health.get().problem()).isEqualTo("The disk of root " + path + " is full");
        // The claim is deleted: this must not need space.
        Marker deleting = first.deleting("");
        assertThat(directories.replaceMarker(first, deleting)).isTrue();
        assertThat(directories.remove(deleting)).isTrue();
        directories.removeMarker(deleting);
        root.refresh(directories);
        assertThat(health.get().problem()).isEmpty();
        create(second);
        assertThat(path.resolve(".bucketwright/reserve"))
                .as("for the next time")
                .exists();
    }

    /** The reserve is removed by one of them; the others find space. */
    @Test
    void claimsThatAreDeletedAtTheSameTimeNeedNoSpace() throws Exception {
        create(first);
        for (int round = 0; round < 20; round++) {
            List<Marker> markers = new ArrayList<>();
            for (int i = 0; i < 4; i++) {
                String id = round + "-" + i;
                markers.add(SampleMarkers.marker("team-videos-" + id + "-vol", "uid-" + id, "root-1"));
                assertThat(directories.createMarker(markers.getLast(), Long.MAX_VALUE))
                        .isTrue();
            }
            fill();
            try (ExecutorService claims = Executors.newFixedThreadPool(markers.size())) {
                List<Callable<Boolean>> deletions = markers.stream()
                        .<Callable<Boolean>>map(marker -> () -> directories.replaceMarker(marker, marker.deleting("")))
                        .toList();
                for (Future<Boolean> deletion : claims.invokeAll(deletions)) {
                    assertThat(deletion.get()).isTrue();
                }
            }
            Files.delete(path.resolve("team-photos-vol/file"));
            root.refresh(directories);
        }
    }
}
