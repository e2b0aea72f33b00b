package io.bucketwright.runtime.leader;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.bucketwright.runtime.LeadershipLostException;
import io.bucketwright.runtime.SystemTime;
import io.bucketwright.runtime.TestEngine;
import io.bucketwright.runtime.TimeSource;
import io.bucketwright.runtime.client.ApiWriter;
import io.bucketwright.testing.ApiUser;
import io.bucketwright.testing.CapturedLog;
import io.bucketwright.testing.OnCluster;
import io.bucketwright.testing.TestCluster;
import io.fabric8.kubernetes.api.model.coordination.v1.Lease;
import io.fabric8.kubernetes.client.dsl.Resource;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicLong;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

/** One process, a real lease, and clocks that are wrong. */
@OnCluster
class ElectorIT {

    private static final LeaseTiming TIMING = JournalProcess.TIMING;

    @Test
    void aProcessThatWasPausedSendsNothingUntilItHasRenewed(TestCluster cluster) {
        ApiUser user = cluster.user("paused");
        try (TestEngine engine = TestEngine.open(user.config());
                JumpingTime time = new JumpingTime();
                Elector elector = elector(cluster, engine, time)) {
            ApiWriter writer = engine.writer(elector.leadership());
            elector.start();
            Awaitility.await().until(elector.leadership()::held);
            for (int pause = 0; pause < 20; pause++) {
                // What a process sees when it was stopped: its clocks advanced, and none of its code has run.
                time.jump(TIMING.renewWithin());
                assertThatThrownBy(() -> writer.create(cluster.configMap("never")))
                        .isInstanceOf(LeadershipLostException.class);
                Awaitility.await().until(elector.leadership()::held);
            }
            writer.create(cluster.configMap("once"));
        }
        assertThat(cluster.requests(user).writes()).isEqualTo(1);
    }

    @Test
    void aDeletedLeaseIsCreatedAgain(TestCluster cluster) {
        try (TestEngine engine = TestEngine.open(cluster.user("candidate").config());
                Elector elector = elector(cluster, engine, engine.time())) {
            elector.start();
            Awaitility.await().until(elector.leadership()::held);
            lease(cluster).delete();
            Awaitility.await().until(() -> lease(cluster).get() != null);
            Awaitility.await().until(elector.leadership()::held);
        }
    }

    @Test
    void aConflictIsLoggedWithoutAStackTraceAndTheLeaseIsReadAgain(TestCluster cluster) {
        try (CapturedLog log = new CapturedLog();
                TestEngine engine = TestEngine.open(cluster.user("candidate").config());
                Elector elector = elector(cluster, engine, engine.time())) {
            elector.start();
            Awaitility.await().until(elector.leadership()::held);
            // Without a version: a renewal that comes in between does not refuse it.
            lease(cluster)
                    .patch(
                            PatchContext.of(PatchType.JSON_MERGE),
                            "{\"metadata\": {\"labels\": {\"edited-by\": \"somebody\"}}}");
            // Other test classes log at the same time.
            String line = "Could not renew or acquire lease " + cluster.namespace();
            Awaitility.await().until(() -> log.text().contains(line));
            Awaitility.await().until(elector.leadership()::held);
            assertThat(log.stackTraces()).noneMatch(logged -> logged.contains(cluster.namespace()));
        }
    }

    private static Elector elector(TestCluster cluster, TestEngine engine, TimeSource time) {
        LeaseName name = new LeaseName(cluster.namespace(), "role");
        return new Elector(name, "me", HolderProcess.unplaced(), TIMING, engine.connection(), time, engine.meters());
    }

    private static Resource<Lease> lease(TestCluster cluster) {
        return cluster.admin().leases().inNamespace(cluster.namespace()).withName("role");
    }

    /** The machine's time, and whatever was jumped over. */
    private static final class JumpingTime implements TimeSource, AutoCloseable {

        private final SystemTime real = new SystemTime();
        private final AtomicLong jumped = new AtomicLong();

        void jump(Duration ahead) {
            jumped.addAndGet(ahead.toNanos());
        }

        @Override
        public long nanos() {
            return real.nanos() + jumped.get();
        }

        @Override
        public Instant now() {
            return real.now().plusNanos(jumped.get());
        }

        @Override
        public Alarm after(Duration delay, Runnable task) {
            return real.after(delay, task);
        }

        @Override
        public void close() {
            real.close();
        }
    }
}
