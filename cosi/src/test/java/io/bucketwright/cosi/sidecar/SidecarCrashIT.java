package io.bucketwright.cosi.sidecar;

import static org.assertj.core.api.Assertions.assertThat;

import io.bucketwright.api.cosi.Bucket;
import io.bucketwright.api.cosi.BucketAccess;
import io.bucketwright.api.cosi.BucketPhase;
import io.bucketwright.api.cosi.CosiNames;
import io.bucketwright.testing.ApiUser;
import io.bucketwright.testing.CrashingClient;
import io.bucketwright.testing.CrashingClient.Moment;
import io.bucketwright.testing.OnCluster;
import io.bucketwright.testing.TestCluster;
import io.grpc.Status;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
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

/** A sidecar that dies at each of its writes, and after each call to its driver; the next one finishes the work. */
@OnCluster
@ResourceLock(value = "COSI objects of all namespaces", mode = ResourceAccessMode.READ)
@Execution(ExecutionMode.CONCURRENT)
class SidecarCrashIT {

    private static final int SIDE_BY_SIDE = 4;

    /** One flow with one death in it. */
    private interface Life {
        /** Whether the process died. */
        boolean diesAt(int moment);
    }

    /** How one process comes to its end. */
    private record Death(Consumer<CosiSidecar.Builder> wiring, BooleanSupplier died) {}

    /** Field defects 1.4, number 9 and 6: what a driver did is never forgotten, and never done twice. */
    @ParameterizedTest
    @EnumSource(Moment.class)
    void afterADeathAtAnyWriteOfBindingTheNextSidecarBindsAndNothingIsMadeTwice(Moment moment, TestCluster cluster)
            throws Exception {
        ApiUser user = SidecarBench.deployed(cluster, "sidecar");
        int deaths = untilNothingFires(write -> {
            CrashingClient mortality = CrashingClient.atWrite(write, moment);
            return binds(cluster, user, write, _ -> new Death(it -> it.http(mortality::wrap), mortality::died));
        });
        // The Bucket's protocol, the Secret, the Bucket's status, and two events.
        assertThat(deaths).isEqualTo(5);
    }

    @Test
    void afterADeathBehindAnyCallOfBindingTheNextSidecarBindsAndNothingIsMadeTwice(TestCluster cluster)
            throws Exception {
        ApiUser user = SidecarBench.deployed(cluster, "sidecar");
        int deaths = untilNothingFires(call -> binds(cluster, user, call, driver -> behindCall(driver, call)));
        assertThat(deaths).isEqualTo(2);
    }

    @ParameterizedTest
    @EnumSource(Moment.class)
    void afterADeathAtAnyWriteOfLeavingTheNextSidecarFinishesAndNothingIsLeft(Moment moment, TestCluster cluster)
            throws Exception {
        ApiUser user = SidecarBench.deployed(cluster, "sidecar");
        int deaths = untilNothingFires(write -> {
            CrashingClient mortality = CrashingClient.atWrite(write, moment);
            return leaves(cluster, user, write, _ -> new Death(it -> it.http(mortality::wrap), mortality::died));
        });
        // Secret (delete, finalizer), BucketAccess's finalizer, Bucket's status (Deleting, Deleted).
        assertThat(deaths).isEqualTo(5);
    }

    @Test
    void afterADeathBehindAnyCallOfLeavingTheNextSidecarFinishesAndNothingIsLeft(TestCluster cluster) throws Exception {
        ApiUser user = SidecarBench.deployed(cluster, "sidecar");
        int deaths = untilNothingFires(call -> leaves(cluster, user, call, driver -> behindCall(driver, call)));
        assertThat(deaths).isEqualTo(2);
    }

    private static boolean binds(TestCluster cluster, ApiUser user, int moment, Dying dying) {
        try (SidecarBench bench = new SidecarBench(cluster, "d" + moment)) {
            Death death = dying.of(bench.driver());
            CosiSidecar mortal = bench.sidecar(user, death.wiring());
            Bucket bucket = bench.bucket("photos");
            BucketAccess access = bench.access("photos", bucket);
            SidecarBench.await("death " + moment + " or access")
                    .until(() -> death.died().getAsBoolean() || bench.secretOf(access) != null);
            if (bench.secretOf(access) != null) {
                bench.bind(bucket, "a:b/c");
            }
            SidecarBench.await("death " + moment + " or bound")
                    .until(() -> death.died().getAsBoolean()
                            || (bench.require(bucket).phase() == BucketPhase.BOUND
                                    && bench.reasons(bucket).contains("BucketCreated")
                                    && bench.reasons(access).contains("AccessGranted")));
            boolean died = death.died().getAsBoolean();
            mortal.close();
            bench.driver().afterEffect(() -> {});
            bench.sidecar(user);
            bench.awaitGranted(access);
            bench.bind(bucket, "a:b/c");
            bench.awaitPhase(bucket, BucketPhase.BOUND);
            bench.awaitQuiet();
            assertThat(bench.driver().buckets)
                    .containsOnlyKeys(bench.require(bucket).getSpec().protocol().bucketName());
            assertThat(bench.driver().accounts)
                    .containsOnlyKeys(CosiNames.accountOf(access.getMetadata().getUid()))
                    .containsValue(bench.keyOf(access));
            assertThat(bench.messageOf(access)).isEmpty();
            return died;
        }
    }

    private static boolean leaves(TestCluster cluster, ApiUser user, int moment, Dying dying) {
        try (SidecarBench bench = new SidecarBench(cluster, "d" + moment)) {
            Bucket bucket = bench.bucket("photos");
            BucketAccess access = bench.access("photos", bucket);
            try (CosiSidecar _ = bench.sidecar(user)) {
                bench.awaitGranted(access);
                bench.bind(bucket, "a:b/c");
                bench.awaitPhase(bucket, BucketPhase.BOUND);
            }
            Death death = dying.of(bench.driver());
            CosiSidecar mortal = bench.sidecar(user, death.wiring());
            bench.bind(bucket);
            bench.delete(access);
            bench.delete(bucket);
            SidecarBench.await("death " + moment + " or gone")
                    .until(() ->
                            death.died().getAsBoolean() || bench.require(bucket).phase() == BucketPhase.DELETED);
            boolean died = death.died().getAsBoolean();
            mortal.close();
            bench.driver().afterEffect(() -> {});
            bench.sidecar(user);
            bench.awaitRevoked(access);
            bench.awaitPhase(bucket, BucketPhase.DELETED);
            assertThat(bench.driver().buckets).isEmpty();
            assertThat(bench.driver().accounts).isEmpty();
            return died;
        }
    }

    private interface Dying {
        Death of(ScriptedDriver driver);
    }

    /** The driver did it, and the process is dead before it hears so. */
    private static Death behindCall(ScriptedDriver driver, int fatal) {
        Plug plug = new Plug();
        AtomicInteger calls = new AtomicInteger();
        driver.afterEffect(() -> {
            if (plug.pulled() || calls.incrementAndGet() == fatal) {
                plug.pull();
                throw Status.UNAVAILABLE.asRuntimeException();
            }
        });
        return new Death(it -> it.http(plug::wrap), plug::pulled);
    }

    /** Runs lives that die at 1, 2, 3, …, several side by side, until one does not die; the number of deaths. */
    private static int untilNothingFires(Life life) throws InterruptedException, ExecutionException {
        try (ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor()) {
            int deaths = 0;
            for (int first = 1; ; first += SIDE_BY_SIDE) {
                List<Future<Boolean>> batch = new ArrayList<>();
                for (int moment = first; moment < first + SIDE_BY_SIDE; moment++) {
                    int fatal = moment;
                    batch.add(executor.submit(() -> life.diesAt(fatal)));
                }
                boolean allDied = true;
                for (Future<Boolean> one : batch) {
                    boolean died = one.get();
                    deaths += died ? 1 : 0;
                    allDied &= died;
                }
                if (!allDied) {
                    return deaths;
                }
            }
        }
    }
}
