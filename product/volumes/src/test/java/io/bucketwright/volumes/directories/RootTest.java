package io.bucketwright.volumes.directories;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.bucketwright.runtime.LeadershipLostException;
import io.bucketwright.runtime.ManualLeadership;
import io.bucketwright.runtime.ManualTime;
import io.bucketwright.runtime.controller.Outcome;
import io.bucketwright.runtime.controller.Result;
import io.bucketwright.volumes.directories.files.Marker;
import io.bucketwright.volumes.directories.files.RootDirectory;
import io.bucketwright.volumes.directories.files.RootIdentity;
import io.bucketwright.volumes.directories.files.SampleMarkers;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** A root on a real file system, one of whose calls hangs for longer than this process leads. */
@Execution(ExecutionMode.CONCURRENT)
class RootTest {

    private static final Outcome WAITS = Outcome.finish(Result.pending());

    @TempDir
    private Path path;

    private final ManualLeadership leadership = new ManualLeadership();
    private final ManualTime time = new ManualTime();
    private final CountDownLatch disk = new CountDownLatch(1);
    private final AtomicReference<String> hanging = new AtomicReference<>("");
    private final AtomicInteger requeued = new AtomicInteger();
    private final Runnable opener = requeued::incrementAndGet;
    private final Runnable claim = requeued::incrementAndGet;
    private final Runnable other = requeued::incrementAndGet;
    private final Marker marker = SampleMarkers.marker("team-photos-vol", "uid-1", "root-1");

    private Roots roots;
    private Root root;

    @BeforeEach
    void create() throws IOException {
        roots = new Roots(
                List.of(path),
                directory -> new InterceptedRootDirectory(directory, (method, call) -> {
                    if (method.equals(hanging.get())) {
                        // The call takes effect when the disk answers again, however long that takes.
                        disk.await();
                    }
                    return call.get();
                }),
                leadership,
                time);
        root = roots.at(path);
    }

    @AfterEach
    void close() {
        disk.countDown();
        roots.close();
    }

    private static Outcome failed(IOException e) {
        return Outcome.finish(Result.retry(String.valueOf(e.getMessage())));
    }

    private void open() throws Exception {
        new RootDirectory(path).initialize(new RootIdentity("root-1", "cluster-1"));
        completed(this::openRoot);
    }

    private interface Attempt {
        Outcome run() throws Exception;
    }

    /** On a machine that is busy, any operation can take longer than a worker waits. */
    private static void completed(Attempt attempt) {
        eventually().until(() -> attempt.run().equals(Outcome.progress()));
    }

    private static ConditionFactory eventually() {
        return await().atMost(Duration.ofMinutes(1));
    }

    private Outcome openRoot() throws InterruptedException {
        return root.open(opener, RootDirectory::identity, () -> "cluster-1", _ -> {}, RootTest::failed);
    }

    private interface Change {
        void apply(RootDirectories directories) throws IOException;
    }

    private Outcome run(Runnable caller, Change change) throws InterruptedException {
        return root.run(caller, operation(change), RootTest::failed);
    }

    private static Root.Operation operation(Change change) {
        return directories -> {
            change.apply(directories);
            return Outcome.progress();
        };
    }

    private void assertHangs(String call, Runnable caller, Change change) throws InterruptedException {
        hanging.set(call);
        assertThat(run(caller, change)).isEqualTo(WAITS);
    }

    private void provision() {
        completed(() -> run(claim, directories -> {
            directories.createMarker(marker, Long.MAX_VALUE);
            directories.create(marker);
        }));
    }

    /** The next attempt of the key shows how the operation ended that hung. */
    private void assertEndsWithLeadership(Attempt next) {
        disk.countDown();
        eventually().untilAsserted(() -> assertThatThrownBy(next::run).isInstanceOf(LeadershipLostException.class));
    }

    @Test
    void aRemovalThatHungIsNotContinuedUnderTheNextLeader() throws Exception {
        open();
        provision();
        Files.writeString(path.resolve("team-photos-vol/file"), "precious");
        Marker deleting = marker.deleting("");
        hanging.set("moveToTrash");
        Attempt removal = () -> root.runLong(
                claim,
                operation(directories -> {
                    directories.replaceMarker(marker, deleting);
                    directories.remove(deleting);
                }),
                RootTest::failed);
        assertThat(removal.run()).isEqualTo(WAITS);
        leadership.gainAfterAnotherLeader();
        assertEndsWithLeadership(removal);
        // The move that hung took effect; nothing after it did.
        assertThat(path.resolve(".bucketwright/trash/uid-1/file")).hasContent("precious");
    }

    @Test
    void noStepFollowsAReadThatHungForLongerThanTheTerm() throws Exception {
        open();
        assertHangs("entryType", claim, directories -> {
            directories.entryType(marker.name());
            directories.createMarker(marker, Long.MAX_VALUE);
        });
        leadership.gainAfterAnotherLeader();
        assertEndsWithLeadership(() -> run(claim, _ -> {}));
        assertThat(path.resolve(".bucketwright/team-photos-vol.json")).doesNotExist();
    }

    @Test
    void anOperationThatWaitedForOneThatHungChangesNothingInTheNextTerm() throws Exception {
        open();
        provision();
        assertHangs("setOwner", claim, directories -> directories.setOwner(marker));
        assertThat(run(other, directories -> directories.removeIfEmpty(marker))).isEqualTo(WAITS);
        leadership.gainAfterAnotherLeader();
        assertEndsWithLeadership(() -> run(other, _ -> {}));
        assertThat(path.resolve("team-photos-vol")).isDirectory();
    }

    @Test
    void aFailureOfAnEarlierTermDoesNotCloseTheRoot() throws Exception {
        open();
        assertHangs("entryType", claim, directories -> directories.entryType(marker.name()));
        leadership.gainAfterAnotherLeader();
        // The disk was not mounted then: the root is missing.
        Path away = Files.move(path.resolve(".bucketwright"), path.resolve("away"));
        assertEndsWithLeadership(() -> run(claim, _ -> {}));
        Files.move(away, path.resolve(".bucketwright"));
        assertThat(root.state()).isInstanceOf(RootState.Open.class);
    }

    @Test
    void aRootIsNotInitializedInAnotherTerm() throws Exception {
        hanging.set("identity");
        assertThat(openRoot()).isEqualTo(WAITS);
        leadership.gainAfterAnotherLeader();
        assertEndsWithLeadership(this::openRoot);
        assertThat(path).isEmptyDirectory();
    }

    @Test
    void temporaryFilesAreNotRemovedInAnotherTerm() throws Exception {
        open();
        Path unfinished = Files.writeString(path.resolve(".bucketwright/.tmp-1234"), "{");
        leadership.gainAfterAnotherLeader();
        root.reset();
        hanging.set("markers");
        assertThat(openRoot()).isEqualTo(WAITS);
        leadership.gainAfterAnotherLeader();
        assertEndsWithLeadership(this::openRoot);
        assertThat(unfinished).exists();
        assertThat(root.state()).isInstanceOf(RootState.NotOpened.class);
    }

    @Test
    void aDiskThatHangsIsReportedByTheProbeOfTheLeaderAndKeepsNoOneElseWaiting() throws Exception {
        open();
        RootHealth health = new RootHealth(roots, leadership, time);
        assertThat(health.get().problem()).isEmpty();
        assertThat(root.hanging()).isEmpty();
        assertHangs("entryType", claim, directories -> directories.entryType(marker.name()));
        int before = requeued.get();
        time.advance(Root.HANGING);
        assertThat(requeued).hasValue(before + 1);
        assertThat(health.get().problem()).contains("The disk of root " + path + " does not answer");
        completed(() -> run(other, _ -> {}));
        disk.countDown();
        eventually().until(() -> health.get().problem().isEmpty());
    }

    /** Claims that are deleted while a root is not open, or while its disk hangs. */
    @Test
    void callersThatNoLongerExistAreForgotten() throws Exception {
        for (int i = 0; i < 100; i++) {
            Runnable caller = requeued::incrementAndGet;
            assertThat(root.awaitOpen(caller)).isFalse();
            roots.forget(caller);
        }
        assertThat(root.waiting()).isZero();
        open();
        assertHangs("entryType", claim, directories -> directories.entryType(marker.name()));
        roots.forget(claim);
        assertThat(root.waiting()).as("the operation is running").isEqualTo(1);
        disk.countDown();
        eventually().until(() -> {
            roots.forget(claim);
            return root.waiting() == 0;
        });
    }
}
