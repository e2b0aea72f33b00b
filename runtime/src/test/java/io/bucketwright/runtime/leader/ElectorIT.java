package io.bucketwright.runtime.leader;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.bucketwright.runtime.LeadershipLostException;
import io.bucketwright.runtime.SystemTime;
import io.bucketwright.runtime.TestEngine;
import io.bucketwright.runtime.TimeSource;
import io.bucketwright.runtime.client.ApiWriter;
import io.bucketwright.testing.ApiUser;
import io.bucketwright.testing.OnCluster;
import io.bucketwright.testing.TestCluster;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.coordination.v1.LeaseBuilder;
import io.fabric8.kubernetes.api.model.coordination.v1.LeaseSpec;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.util.concurrent.atomic.AtomicLong;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

/** One process, a real lease, and clocks that do what clocks must not. */
@OnCluster
class ElectorIT {

    private static final LeaseTiming TIMING =
            new LeaseTiming(Duration.ofSeconds(3), Duration.ofSeconds(2), Duration.ofMillis(400));

    @Test
    void aProcessThatWasPausedSendsNothingUntilItHasRenewed(TestCluster cluster) {
        ApiUser user = cluster.user("paused");
        try (TestEngine engine = new TestEngine(user.config());
                JumpingTime time = new JumpingTime();
                Elector elector = elector(cluster, "me", engine, time)) {
            ApiWriter writer = engine.writer(elector);
            elector.start();
            Awaitility.await().until(elector::held);
            for (int pause = 0; pause < 20; pause++) {
                // What a process sees when it was stopped: its clocks have gone on, and nothing of it has run.
                time.jump(TIMING.renewWithin());
                assertThatThrownBy(() -> writer.create(map(cluster, "never")))
                        .isInstanceOf(LeadershipLostException.class);
                Awaitility.await().until(elector::held);
            }
            writer.create(map(cluster, "once"));
        }
        assertThat(cluster.requests(user).writes()).isEqualTo(1);
    }

    @Test
    void aLiveLeaseIsNotTakenBecauseItsHoldersClockIsWrong(TestCluster cluster) {
        // By its own clock the holder renewed an hour ago; in truth it does so all the time.
        ZonedDateTime wrong = ZonedDateTime.now(ZoneOffset.UTC).minusHours(1);
        put(cluster, wrong);
        try (TestEngine engine = new TestEngine(cluster.user("candidate").config());
                JumpingTime time = new JumpingTime();
                Elector elector = elector(cluster, "me", engine, time)) {
            elector.start();
            Instant end = Instant.now().plus(TIMING.lease().multipliedBy(2));
            Awaitility.await().atMost(TIMING.lease().multipliedBy(4)).until(() -> {
                put(cluster, wrong.plusNanos(System.nanoTime() % 1_000_000_000));
                assertThat(elector.held()).isFalse();
                return Instant.now().isAfter(end);
            });
            Awaitility.await().atMost(TIMING.lease().multipliedBy(4)).until(elector::held);
            assertThat(lease(cluster).getHolderIdentity()).isEqualTo("me");
        }
        assertThat(lease(cluster).getHolderIdentity()).isNull();
    }

    @Test
    void anEmptyLeaseIsTaken(TestCluster cluster) {
        cluster.admin()
                .resource(new LeaseBuilder()
                        .withNewMetadata()
                        .withNamespace(cluster.namespace())
                        .withName("role")
                        .endMetadata()
                        .withNewSpec()
                        .endSpec()
                        .build())
                .create();
        try (TestEngine engine = new TestEngine(cluster.user("candidate").config());
                JumpingTime time = new JumpingTime();
                Elector elector = elector(cluster, "me", engine, time)) {
            elector.start();
            Awaitility.await().until(elector::held);
        }
    }

    @Test
    void aDeletedLeaseIsMadeAgain(TestCluster cluster) {
        try (TestEngine engine = new TestEngine(cluster.user("candidate").config());
                JumpingTime time = new JumpingTime();
                Elector elector = elector(cluster, "me", engine, time)) {
            elector.start();
            Awaitility.await().until(elector::held);
            cluster.admin()
                    .leases()
                    .inNamespace(cluster.namespace())
                    .withName("role")
                    .delete();
            Awaitility.await()
                    .until(() -> cluster.admin()
                                    .leases()
                                    .inNamespace(cluster.namespace())
                                    .withName("role")
                                    .get()
                            != null);
            Awaitility.await().until(elector::held);
        }
    }

    private static Elector elector(TestCluster cluster, String identity, TestEngine engine, TimeSource time) {
        LeaseName name = new LeaseName(cluster.namespace(), "role");
        return new Elector(name, identity, TIMING, engine.connection(), time, engine.meters());
    }

    private static void put(TestCluster cluster, ZonedDateTime renewed) {
        cluster.admin()
                .resource(new LeaseBuilder()
                        .withNewMetadata()
                        .withNamespace(cluster.namespace())
                        .withName("role")
                        .endMetadata()
                        .withNewSpec()
                        .withHolderIdentity("other")
                        .withLeaseDurationSeconds((int) TIMING.lease().toSeconds())
                        .withAcquireTime(renewed)
                        .withRenewTime(renewed)
                        .withLeaseTransitions(3)
                        .endSpec()
                        .build())
                .createOr(lease -> lease.update());
    }

    private static LeaseSpec lease(TestCluster cluster) {
        return cluster.admin()
                .leases()
                .inNamespace(cluster.namespace())
                .withName("role")
                .get()
                .getSpec();
    }

    private static ConfigMap map(TestCluster cluster, String name) {
        return new ConfigMapBuilder()
                .withNewMetadata()
                .withNamespace(cluster.namespace())
                .withName(name)
                .endMetadata()
                .build();
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
