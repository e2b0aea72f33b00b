package io.bucketwright.volumes.directories;

import static io.bucketwright.testing.Eventually.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.bucketwright.runtime.engine.ClientOptions;
import io.bucketwright.runtime.engine.ControllerProcess;
import io.bucketwright.testing.ApiUser;
import io.bucketwright.testing.CrashLoop;
import io.bucketwright.testing.CrashingClient;
import io.bucketwright.testing.CrashingClient.Moment;
import io.bucketwright.testing.OnCluster;
import io.bucketwright.testing.TestCluster;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The process crashes at each of its writes to the API server and to the disk; the next process completes the work. §2.2.3:
 * one failed step used to end in "already exists" forever.
 */
@OnCluster
@Execution(ExecutionMode.CONCURRENT)
class CrashIT {

    @TempDir
    private Path temporary;

    /** A crash at the N-th write. */
    private record Crash(Consumer<DirectoryProvisioner.Builder> install, BooleanSupplier happened) {}

    /** One run of a test. */
    private record Run(DirectoryFixture bench, ApiUser user, int number, String claim) {

        Crash atDiskWrite(Moment moment) {
            CrashingRootDirectory crashing = new CrashingRootDirectory(bench.root(), number, moment);
            return new Crash(builder -> builder.rootDirectories(_ -> crashing.directory()), crashing::crashed);
        }

        Crash atRequest(Moment moment) {
            CrashingClient crashing = CrashingClient.atWrite(number, moment);
            return new Crash(builder -> ClientOptions.http(builder, crashing::wrap), crashing::died);
        }

        boolean isBound() {
            return bench.isBound(claim);
        }

        boolean isReported() {
            return !bench.events(claim, "ProvisioningSucceeded").isEmpty();
        }

        void createClaim(Map<String, String> parameters) {
            bench.claim(claim, bench.storageClass("c" + number, parameters));
        }

        void provision(Map<String, String> parameters) throws Exception {
            createClaim(parameters);
            try (ControllerProcess _ = bench.provisioner(user)) {
                bench.awaitBound(claim);
            }
            Files.writeString(bench.directory(claim).resolve("file"), "content");
        }

        /** Runs a process until it crashes or is done. */
        void runUntil(Crash crash, Runnable change, BooleanSupplier done) {
            try (ControllerProcess _ = bench.provisioner(user, crash.install())) {
                change.run();
                await("crash or completion").until(() -> crash.happened().getAsBoolean() || done.getAsBoolean());
            }
        }

        boolean deleteWith(Map<String, String> parameters, Crash crash) throws Exception {
            provision(parameters);
            runUntil(crash, () -> bench.delete(claim), bench::isEmpty);
            bench.provisioner(user);
            awaitDeleted();
            return crash.happened().getAsBoolean();
        }

        void awaitDeleted() {
            bench.awaitDeleted(claim);
            bench.awaitEmpty();
        }

        boolean bindWith(Crash crash, BooleanSupplier done) {
            runUntil(crash, () -> createClaim(Map.of()), done);
            bench.provisioner(user);
            bench.awaitBound(claim);
            bench.awaitSettled();
            bench.assertInvariants();
            bench.delete(claim);
            awaitDeleted();
            return crash.happened().getAsBoolean();
        }
    }

    private interface Flow {
        boolean fires(Run run) throws Exception;
    }

    private int crashes(TestCluster cluster, Flow flow) throws InterruptedException {
        ApiUser user = cluster.user("directories");
        return CrashLoop.untilNothingFires(number -> {
            Path root = Files.createDirectory(temporary.resolve("root-" + number));
            try (DirectoryFixture bench = new DirectoryFixture(cluster, root, "-" + number)) {
                return flow.fires(new Run(bench, user, number, "mine-" + number));
            }
        });
    }

    @ParameterizedTest
    @EnumSource(Moment.class)
    void claimIsBoundAfterACrashAtAnyDiskWrite(Moment moment, TestCluster cluster) throws Exception {
        int crashes = crashes(cluster, run -> run.bindWith(run.atDiskWrite(moment), run::isBound));
        // Identity, marker, directory, owner.
        assertThat(crashes).isEqualTo(4);
    }

    @ParameterizedTest
    @EnumSource(Moment.class)
    void claimIsBoundAfterACrashAtAnyRequest(Moment moment, TestCluster cluster) throws Exception {
        int crashes = crashes(cluster, run -> run.bindWith(run.atRequest(moment), run::isReported));
        // The volume and its event.
        assertThat(crashes).isEqualTo(2);
    }

    @ParameterizedTest
    @EnumSource(Moment.class)
    void deletionCompletesAfterACrashAtAnyDiskWrite(Moment moment, TestCluster cluster) throws Exception {
        int crashes = crashes(cluster, run -> run.deleteWith(Map.of(), run.atDiskWrite(moment)));
        // Marker in state deleting, moved to the trash, deleted, marker removed.
        assertThat(crashes).isBetween(4, 6);
    }

    @ParameterizedTest
    @EnumSource(Moment.class)
    void deletionCompletesAfterACrashAtAnyRequest(Moment moment, TestCluster cluster) throws Exception {
        int crashes = crashes(cluster, run -> run.deleteWith(Map.of(), run.atRequest(moment)));
        // The finalizer and the volume.
        assertThat(crashes).isEqualTo(2);
    }

    @ParameterizedTest
    @EnumSource(Moment.class)
    void archivingCompletesOnceAfterACrashAtAnyDiskWrite(Moment moment, TestCluster cluster) throws Exception {
        int crashes = crashes(cluster, run -> {
            boolean crashed = run.deleteWith(Map.of("onDelete", "archive"), run.atDiskWrite(moment));
            assertThat(run.bench().archive()).hasSize(2);
            assertThat(run.bench().archived().resolve("file")).hasContent("content");
            return crashed;
        });
        assertThat(crashes).isBetween(3, 5);
    }

    /** external-provisioner#486: the process stops before it creates the volume, and the claim is deleted meanwhile. */
    @ParameterizedTest
    @EnumSource(Moment.class)
    void nothingIsLeftOfAClaimThatIsDeletedWhileNoProcessRuns(Moment moment, TestCluster cluster) throws Exception {
        int crashes = crashes(cluster, run -> {
            DirectoryFixture bench = run.bench();
            Crash crash = run.atDiskWrite(moment);
            run.runUntil(crash, () -> run.createClaim(Map.of()), run::isBound);
            bench.delete(run.claim());
            await("deletion of the claim").until(() -> bench.get(run.claim()).isEmpty());
            bench.provisioner(run.user());
            run.awaitDeleted();
            return crash.happened().getAsBoolean();
        });
        assertThat(crashes).isEqualTo(4);
    }
}
