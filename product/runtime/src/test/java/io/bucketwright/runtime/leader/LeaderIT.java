package io.bucketwright.runtime.leader;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.coordination.v1.LeaseSpec;
import java.time.Duration;
import java.time.ZonedDateTime;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * Two processes, one lease, and all faults between them. The journal shows in which order their writes
 * took effect: no writer may appear in it again after another one has written, unless it was elected anew.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Order(2)
class LeaderIT {

    @RegisterExtension
    private final LeaderFixture bench = new LeaderFixture();

    @Test
    void whenTheLeaderIsKilledTheOtherTakesOver() {
        Candidate first = bench.startLeader("a");
        Candidate second = bench.startFollower("b");
        first.kill();
        ZonedDateTime lastRenewal = bench.lease().getRenewTime();
        bench.awaitWrites(second, 20);
        assertThat(bench.journal().writers()).as("%s", bench.journal()).containsExactly("a@0", "b@1");
        assertTakenOverAfterOneLease(lastRenewal);
    }

    @Test
    void anOutageOfTheApiServerEndsLeadershipBeforeTheLeaseDoes() {
        Candidate first = bench.startLeader("a");
        Candidate second = bench.startFollower("b");
        bench.stopApiServer();
        // The process must know by itself: no server can notify it.
        LeaderFixture.await().until(() -> !first.leads());
        assertThat(second.leads()).isFalse();
        assertThat(first.since()).isBefore(bench.lastRenewal(first).plus(LeaderFixture.LEASE));
        bench.startApiServer();
        int written = bench.journal().total();
        LeaderFixture.await().until(() -> bench.journal().total() > written + 20);
        assertThat(bench.journal().writers()).as("%s", bench.journal()).doesNotHaveDuplicates();
        assertThat(first.leads()).isNotEqualTo(second.leads());
    }

    @Test
    void aTerminatedLeaderReleasesTheLeaseAndTheOtherNeedNotWaitForIt() {
        Candidate first = bench.startLeader("a");
        first.terminate();
        LeaseSpec released = bench.lease();
        assertThat(released.getHolderIdentity()).isNull();
        int written = bench.journal().total();
        bench.startLeader("b");
        assertThat(bench.journal().writers()).containsExactly("a@0", "b@1");
        assertThat(bench.journal().entries().getFirst().count())
                .as("writes after the release")
                .isEqualTo(written);
        assertThat(bench.requests(first).count(request -> request.code() >= 400))
                .isZero();
    }

    /** From the old leader's last renewal to the new one's first: never before the lease was over, and soon after. */
    private void assertTakenOverAfterOneLease(ZonedDateTime lastRenewal) {
        Duration taken = Duration.between(lastRenewal, bench.lease().getAcquireTime());
        assertThat(taken).isBetween(LeaderFixture.LEASE, LeaderFixture.LEASE.multipliedBy(2));
    }
}
