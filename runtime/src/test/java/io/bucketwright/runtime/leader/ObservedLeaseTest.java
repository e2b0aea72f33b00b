package io.bucketwright.runtime.leader;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.bucketwright.runtime.FakeTime;
import io.fabric8.kubernetes.api.model.coordination.v1.Lease;
import io.fabric8.kubernetes.api.model.coordination.v1.LeaseBuilder;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.extended.leaderelection.resourcelock.LeaderElectionRecord;
import java.time.Duration;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class ObservedLeaseTest {

    private static final LeaseTiming TIMING =
            new LeaseTiming(Duration.ofSeconds(15), Duration.ofSeconds(10), Duration.ofSeconds(2));

    private final FakeTime time = new FakeTime();
    private final FakeLeases leases = new FakeLeases();
    private final Fence fence = new Fence(time);
    private final ObservedLease lock =
            new ObservedLease(new LeaseName("ns", "role"), "me", TIMING, leases, fence, time);
    /** Never asked: the lock has its own way to the server. */
    private final KubernetesClient client =
            new KubernetesClientBuilder().withConfig(Config.empty()).build();

    @AfterEach
    void close() {
        client.close();
    }

    @Test
    void aHolderWhoseClockIsWrongKeepsItsLeaseAsLongAsItRenews() {
        for (int i = 0; i < 10; i++) {
            leases.put(heldBy("other", time.now().atZone(ZoneOffset.UTC).minusHours(3)));
            assertThat(canTake()).isFalse();
            time.advance(Duration.ofSeconds(10));
        }
    }

    @Test
    void aLeaseIsFreeOnceItWasSeenUnchangedForItsWholeDuration() {
        leases.put(heldBy("other", time.now().atZone(ZoneOffset.UTC).plusHours(3)));
        assertThat(canTake()).isFalse();
        time.advance(TIMING.lease().minusNanos(1));
        assertThat(canTake()).isFalse();
        time.advance(Duration.ofNanos(1));
        assertThat(canTake()).isTrue();
    }

    @Test
    void aLeaseThatWasFoundExpiredIsStillWatchedForOneDuration() {
        leases.put(heldBy("other", time.now().atZone(ZoneOffset.UTC).minusDays(1)));
        assertThat(canTake()).isFalse();
    }

    @Test
    void anEmptyLeaseIsNoReasonToGiveUp() {
        leases.put(new LeaseBuilder()
                .withNewMetadata()
                .withName("role")
                .endMetadata()
                .build());
        assertThat(record().getHolderIdentity()).isNull();
    }

    @Test
    void renewingCostsOneRequest() {
        acquire();
        int reads = leases.reads();
        int writes = leases.writes();
        for (int i = 0; i < 5; i++) {
            lock.update(client, renewed(record()));
        }
        assertThat(leases.reads()).isEqualTo(reads);
        assertThat(leases.writes()).isEqualTo(writes + 5);
    }

    @Test
    void acquiringOpensTheFenceForLessThanTheLease() {
        acquire();
        time.advance(TIMING.renewWithin().minusNanos(1));
        assertThat(fence.isOpen()).isTrue();
        time.advance(Duration.ofNanos(1));
        assertThat(fence.isOpen()).isFalse();
    }

    @Test
    void aConflictClosesTheFenceAndTheLeaseIsReadAgain() {
        acquire();
        leases.put(heldBy("other", time.now().atZone(ZoneOffset.UTC)));
        assertThatThrownBy(() -> lock.update(client, renewed(record()))).isInstanceOf(KubernetesClientException.class);
        assertThat(fence.isOpen()).isFalse();
        assertThat(record().getHolderIdentity()).isEqualTo("other");
    }

    @Test
    void anOutageLeavesTheFenceToTheClock() {
        acquire();
        leases.goAway();
        assertThatThrownBy(() -> lock.update(client, renewed(record()))).isInstanceOf(KubernetesClientException.class);
        assertThat(fence.isOpen()).isTrue();
        time.advance(TIMING.renewWithin());
        assertThat(fence.isOpen()).isFalse();
    }

    @Test
    void releasingClosesTheFenceBeforeTheRequestAndRemovesTheHolder() {
        acquire();
        LeaderElectionRecord free = new LeaderElectionRecord(
                null, Duration.ofSeconds(1), record().getAcquireTime(), record().getRenewTime(), 1);
        leases.goAway();
        assertThatThrownBy(() -> lock.update(client, free)).isInstanceOf(KubernetesClientException.class);
        assertThat(fence.isOpen()).isFalse();
        leases.comeBack();
        LeaderElectionRecord again = record();
        assertThat(again.getHolderIdentity()).isEqualTo("me");
        lock.update(client, free);
        assertThat(leases.lease().getSpec().getHolderIdentity()).isNull();
    }

    private void acquire() {
        assertThat(lock.get(client)).isNull();
        ZonedDateTime now = time.now().atZone(ZoneOffset.UTC);
        lock.create(client, new LeaderElectionRecord("me", TIMING.lease(), now, now, 0));
        assertThat(fence.isOpen()).isTrue();
    }

    /** What fabric8's elector asks of a record that is not its own. */
    private boolean canTake() {
        LeaderElectionRecord record = record();
        return ZonedDateTime.now(ZoneOffset.UTC).isAfter(record.getRenewTime().plus(record.getLeaseDuration()));
    }

    private LeaderElectionRecord record() {
        @Nullable LeaderElectionRecord record = lock.get(client);
        return Objects.requireNonNull(record);
    }

    private static LeaderElectionRecord renewed(LeaderElectionRecord record) {
        return new LeaderElectionRecord(
                "me", TIMING.lease(), record.getAcquireTime(), record.getRenewTime(), record.getLeaderTransitions());
    }

    private static Lease heldBy(String holder, ZonedDateTime renewed) {
        return new LeaseBuilder()
                .withNewMetadata()
                .withNamespace("ns")
                .withName("role")
                .endMetadata()
                .withNewSpec()
                .withHolderIdentity(holder)
                .withLeaseDurationSeconds((int) TIMING.lease().toSeconds())
                .withAcquireTime(renewed)
                .withRenewTime(renewed)
                .withLeaseTransitions(1)
                .endSpec()
                .build();
    }
}
