package io.bucketwright.volumes.directories;

import static org.assertj.core.api.Assertions.assertThat;

import io.bucketwright.runtime.ManualLeadership;
import io.bucketwright.runtime.ManualTime;
import io.bucketwright.runtime.controller.Outcome;
import io.bucketwright.runtime.controller.Result;
import io.bucketwright.runtime.http.Health;
import io.bucketwright.volumes.directories.files.DirectoryTree.Space;
import io.bucketwright.volumes.directories.files.RootDirectory;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What {@code /readyz} reports about the roots, for a leader and for a process that does not lead. */
class RootHealthTest {

    @TempDir
    private Path directory;

    private final ManualTime time = new ManualTime();
    private final ManualLeadership leadership = new ManualLeadership();
    private final AtomicReference<Probe> probe = new AtomicReference<>(() -> {});
    private final AtomicInteger probed = new AtomicInteger();
    private Roots roots = new Roots(List.of(), this::probed, leadership, time);

    private interface Probe {
        void run() throws IOException;
    }

    @AfterEach
    void close() {
        roots.close();
    }

    @Test
    void aLeaderWithAFullDiskIsNotReadyUntilThereIsSpaceAgain() throws Exception {
        AtomicReference<Space> space = new AtomicReference<>(new Space(1L << 30, 4096));
        RootHealth health = health(path -> new InterceptedRootDirectory(
                path, (method, call) -> method.equals("space") ? space.get() : call.get()));
        Root root = roots.at(directory);
        assertThat(health.get()).isEqualTo(Health.unhealthy("The root " + directory + " is not open yet"));
        Awaitility.await()
                .until(() -> root.open(
                                () -> {},
                                RootDirectory::identity,
                                () -> "cluster",
                                _ -> {},
                                e -> Outcome.finish(Result.retry(String.valueOf(e.getMessage()))))
                        .equals(Outcome.progress()));
        assertThat(root.markers().all()).isEmpty();
        refresh(root);
        assertThat(health.get()).isEqualTo(Health.unhealthy("The disk of root " + directory + " is full"));
        space.set(new Space(1L << 30, 1L << 25));
        refresh(root);
        assertThat(health.get()).isEqualTo(Health.healthy());
    }

    @Test
    void aFollowerReportsARootThatItCouldNotUseAndNoOther() {
        leadership.lose();
        probe.set(() -> {
            throw new IOException("The disk is not mounted");
        });
        RootHealth health = health();
        awaitReport(health, Health.unhealthy("The disk is not mounted"));
        assertThat(probed).as("it is not read at each check").hasValue(1);
        CountDownLatch release = new CountDownLatch(1);
        probe.set(() -> await(release));
        time.advance(Duration.ofSeconds(11));
        assertThat(health.get()).isEqualTo(Health.unhealthy("The disk is not mounted"));
        assertThat(health.get())
                .as("while the root is read again")
                .isEqualTo(Health.unhealthy("The disk is not mounted"));
        release.countDown();
        awaitReport(health, Health.healthy());
        assertThat(probed).hasValue(2);
    }

    @Test
    void aFollowerWhoseDiskHangsIsNotReadyAndReadsItOnlyOnce() {
        leadership.lose();
        CountDownLatch release = new CountDownLatch(1);
        probe.set(() -> await(release));
        RootHealth health = health();
        assertThat(health.get()).as("nothing is known yet").isEqualTo(Health.healthy());
        time.advance(Duration.ofSeconds(11));
        Health hangs = Health.unhealthy("The disk of root " + directory + " does not answer");
        assertThat(health.get()).isEqualTo(hangs);
        time.advance(Duration.ofMinutes(10));
        assertThat(health.get()).isEqualTo(hangs);
        release.countDown();
        awaitReport(health, Health.healthy());
    }

    private RootHealth health() {
        return health(this::probed);
    }

    private RootHealth health(Function<Path, RootDirectory> directories) {
        roots = new Roots(List.of(directory), directories, leadership, time);
        return new RootHealth(roots, leadership, time);
    }

    private static void awaitReport(RootHealth health, Health expected) {
        Awaitility.await().untilAsserted(() -> assertThat(health.get()).isEqualTo(expected));
    }

    private static void refresh(Root root) throws InterruptedException {
        CountDownLatch done = new CountDownLatch(1);
        Outcome _ = root.run(
                () -> {},
                open -> {
                    assertThat(root.refresh(open)).isEmpty();
                    done.countDown();
                    return Outcome.progress();
                },
                e -> {
                    throw new AssertionError(e);
                });
        done.await();
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** A directory whose reading the test scripts. */
    private RootDirectory probed(Path path) {
        return new InterceptedRootDirectory(path, (operation, _) -> {
            assertThat(operation).as("a check only reads").isEqualTo("identity");
            probed.incrementAndGet();
            probe.get().run();
            return Optional.empty();
        });
    }
}
