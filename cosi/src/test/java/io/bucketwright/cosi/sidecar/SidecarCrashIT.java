package io.bucketwright.cosi.sidecar;

import static org.assertj.core.api.Assertions.assertThat;

import io.bucketwright.api.cosi.Bucket;
import io.bucketwright.api.cosi.BucketAccess;
import io.bucketwright.api.cosi.CosiNames;
import io.bucketwright.api.cosi.status.BucketPhase;
import io.bucketwright.runtime.engine.ControllerProcess;
import io.bucketwright.testing.ApiUser;
import io.bucketwright.testing.CrashLoop;
import io.bucketwright.testing.CrashingClient;
import io.bucketwright.testing.CrashingClient.Moment;
import io.bucketwright.testing.OnCluster;
import io.bucketwright.testing.TestCluster;
import io.grpc.Status;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.api.parallel.ResourceAccessMode;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The sidecar crashes at each of its writes and after each call to the driver; the next one finishes the work. */
@OnCluster
@ResourceLock(value = "COSI objects of all namespaces", mode = ResourceAccessMode.READ)
@Execution(ExecutionMode.CONCURRENT)
class SidecarCrashIT {

    /** The fault of one process. */
    private record Crash(Consumer<CosiSidecar.Builder> wiring, BooleanSupplier died) {}

    /** Field defects 1.4, number 9 and 6: what the driver has done is neither forgotten nor repeated. */
    @ParameterizedTest
    @EnumSource(Moment.class)
    void provisionsOnceAfterACrashAtAnyWrite(Moment moment, TestCluster cluster) throws Exception {
        ApiUser user = SidecarBench.deployed(cluster, "sidecar");
        int crashes = CrashLoop.untilNothingFires(write -> {
            CrashingClient fault = CrashingClient.atWrite(write, moment);
            return binds(cluster, user, write, _ -> new Crash(builder -> builder.http(fault::wrap), fault::died));
        });
        // The Bucket's protocol, the Secret, the Bucket's status, and two events.
        assertThat(crashes).isEqualTo(5);
    }

    @Test
    void provisionsOnceAfterACrashBehindAnyCall(TestCluster cluster) throws Exception {
        ApiUser user = SidecarBench.deployed(cluster, "sidecar");
        int crashes =
                CrashLoop.untilNothingFires(call -> binds(cluster, user, call, driver -> afterCall(driver, call)));
        assertThat(crashes).isEqualTo(2);
    }

    @ParameterizedTest
    @EnumSource(Moment.class)
    void deletesEverythingAfterACrashAtAnyWrite(Moment moment, TestCluster cluster) throws Exception {
        ApiUser user = SidecarBench.deployed(cluster, "sidecar");
        int crashes = CrashLoop.untilNothingFires(write -> {
            CrashingClient fault = CrashingClient.atWrite(write, moment);
            return leaves(cluster, user, write, _ -> new Crash(builder -> builder.http(fault::wrap), fault::died));
        });
        // Secret (delete, finalizer), BucketAccess's finalizer, Bucket's status (Deleting, Deleted).
        assertThat(crashes).isEqualTo(5);
    }

    @Test
    void deletesEverythingAfterACrashBehindAnyCall(TestCluster cluster) throws Exception {
        ApiUser user = SidecarBench.deployed(cluster, "sidecar");
        int crashes =
                CrashLoop.untilNothingFires(call -> leaves(cluster, user, call, driver -> afterCall(driver, call)));
        assertThat(crashes).isEqualTo(2);
    }

    private static boolean binds(TestCluster cluster, ApiUser user, int moment, Crashing crashing) {
        try (SidecarBench bench = new SidecarBench(cluster, "d" + moment)) {
            Crash crash = crashing.of(bench.driver());
            ControllerProcess first = bench.sidecar(user, crash.wiring());
            Bucket bucket = bench.bucket("photos");
            BucketAccess access = bench.access("photos", bucket);
            SidecarBench.await("crash " + moment + " or access")
                    .until(() -> crash.died().getAsBoolean() || bench.secretOf(access) != null);
            if (bench.secretOf(access) != null) {
                bench.bind(bucket, "a:b/c");
            }
            SidecarBench.await("crash " + moment + " or bound")
                    .until(() -> crash.died().getAsBoolean()
                            || (bench.require(bucket).phase() == BucketPhase.BOUND
                                    && bench.reasons(bucket).contains("BucketCreated")
                                    && bench.reasons(access).contains("AccessGranted")));
            boolean died = crash.died().getAsBoolean();
            first.close();
            bench.driver().afterEffect(() -> {});
            bench.sidecar(user);
            bench.awaitGranted(access);
            bench.bind(bucket, "a:b/c");
            bench.awaitPhase(bucket, BucketPhase.BOUND);
            bench.awaitSettled();
            assertThat(bench.driver().buckets)
                    .containsOnlyKeys(bench.require(bucket).getSpec().protocol().bucketName());
            assertThat(bench.driver().accounts)
                    .containsOnlyKeys(CosiNames.accountOf(access.getMetadata().getUid()))
                    .containsValue(bench.keyOf(access));
            assertThat(bench.messageOf(access)).isEmpty();
            return died;
        }
    }

    private static boolean leaves(TestCluster cluster, ApiUser user, int moment, Crashing crashing) {
        try (SidecarBench bench = new SidecarBench(cluster, "d" + moment)) {
            Bucket bucket = bench.bucket("photos");
            BucketAccess access = bench.access("photos", bucket);
            try (ControllerProcess _ = bench.sidecar(user)) {
                bench.awaitGranted(access);
                bench.bind(bucket, "a:b/c");
                bench.awaitPhase(bucket, BucketPhase.BOUND);
            }
            Crash crash = crashing.of(bench.driver());
            ControllerProcess first = bench.sidecar(user, crash.wiring());
            bench.bind(bucket);
            bench.delete(access);
            bench.delete(bucket);
            SidecarBench.await("crash " + moment + " or deletion")
                    .until(() ->
                            crash.died().getAsBoolean() || bench.require(bucket).phase() == BucketPhase.DELETED);
            boolean died = crash.died().getAsBoolean();
            first.close();
            bench.driver().afterEffect(() -> {});
            bench.sidecar(user);
            bench.awaitRevoked(access);
            bench.awaitPhase(bucket, BucketPhase.DELETED);
            assertThat(bench.driver().buckets).isEmpty();
            assertThat(bench.driver().accounts).isEmpty();
            return died;
        }
    }

    private interface Crashing {
        Crash of(ScriptedDriver driver);
    }

    /** The driver has done its work, and the process crashes before it gets the answer. */
    private static Crash afterCall(ScriptedDriver driver, int fatal) {
        Plug plug = new Plug();
        AtomicInteger calls = new AtomicInteger();
        driver.afterEffect(() -> {
            if (plug.pulled() || calls.incrementAndGet() == fatal) {
                plug.pull();
                throw Status.UNAVAILABLE.asRuntimeException();
            }
        });
        return new Crash(builder -> builder.http(plug::wrap), plug::pulled);
    }
}
