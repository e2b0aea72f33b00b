package io.bucketwright.runtime.leader;

import static org.assertj.core.api.Assertions.assertThat;

import io.bucketwright.runtime.ManualTime;
import io.bucketwright.runtime.client.ApiException;
import io.fabric8.kubernetes.api.model.coordination.v1.Lease;
import io.fabric8.kubernetes.api.model.coordination.v1.LeaseBuilder;
import io.fabric8.kubernetes.api.model.coordination.v1.LeaseSpec;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The protocol of client-go's leader election, rule by rule, with two candidates and one Lease. Where this election differs,
 * the comment of the test says how. After each attempt of either candidate, at most one of them may act.
 */
class ElectionProtocolTest {

    private static final LeaseTiming TIMING = LeaseTiming.standard();
    private static final Duration LEASE = TIMING.lease();
    private static final Duration SECOND = Duration.ofSeconds(1);

    /** A process that tries to lead, with clocks of its own. */
    private final class Contender {
        private final ManualTime time = new ManualTime();
        private final Fence fence = new Fence(time);
        private final ObservedLease lease;

        Contender(String identity, HolderProcess process, LeaseTiming timing) {
            lease = new ObservedLease(new LeaseName("ns", "role"), identity, process, timing, leases, fence, time);
        }

        /** One attempt, as the loop does it. Returns whether this process may act afterwards. */
        boolean attempt() {
            try {
                lease.tryAcquireOrRenew();
            } catch (ApiException e) {
                // The fence decides.
            }
            assertOneLeader();
            return fence.held();
        }
    }

    private final FakeLeases leases = new FakeLeases();
    private final Contender a = new Contender("a", new HolderProcess("process-a", "place-a"), TIMING);
    private final Contender b = new Contender("b", new HolderProcess("process-b", "place-b"), TIMING);

    @AfterEach
    void assertOneLeader() {
        assertThat(a.fence.held() && b.fence.held()).as("both lead").isFalse();
    }

    @Test
    void acquiresALeaseThatDoesNotExist() {
        assertThat(a.attempt()).isTrue();
        assertThat(spec().getHolderIdentity()).isEqualTo("a");
        assertThat(spec().getLeaseDurationSeconds()).isEqualTo(15);
        assertThat(spec().getLeaseTransitions()).isZero();
        assertThat(spec().getAcquireTime()).isEqualTo(spec().getRenewTime());
    }

    @Test
    void acquiresALeaseWithoutAHolder() {
        leases.put(new LeaseBuilder()
                .withNewSpec()
                .withHolderIdentity("")
                .endSpec()
                .build());
        assertThat(a.attempt()).isTrue();
    }

    @Test
    void acquiresALeaseWithoutASpec() {
        leases.put(new Lease());
        assertThat(a.attempt()).isTrue();
        assertThat(spec().getHolderIdentity()).isEqualTo("a");
    }

    @Test
    void doesNotAcquireTheLeaseOfAHolderThatRenews() {
        assertThat(a.attempt()).isTrue();
        for (int second = 0; second < 60; second++) {
            assertThat(a.attempt()).isTrue();
            assertThat(b.attempt()).isFalse();
            pass(SECOND);
        }
    }

    @Test
    void theDurationThatTheHolderWroteCountsAndNotThatOfTheFollower() {
        Contender slow = new Contender(
                "slow",
                new HolderProcess("process-slow", ""),
                new LeaseTiming(Duration.ofSeconds(60), Duration.ofSeconds(40), Duration.ofSeconds(5)));
        assertThat(slow.attempt()).isTrue();
        assertThat(b.attempt()).isFalse();
        pass(Duration.ofSeconds(59));
        assertThat(b.attempt()).isFalse();
        pass(SECOND);
        assertThat(b.attempt()).isTrue();
    }

    @Test
    void aRenewalChangesTheRenewTimeOnly() {
        assertThat(a.attempt()).isTrue();
        LeaseSpec first = spec();
        pass(SECOND);
        assertThat(a.attempt()).isTrue();
        assertThat(spec().getRenewTime()).isEqualTo(first.getRenewTime().plusSeconds(1));
        assertThat(spec().getAcquireTime()).isEqualTo(first.getAcquireTime());
        assertThat(spec().getLeaseTransitions()).isEqualTo(first.getLeaseTransitions());
    }

    @Test
    void aHolderThatVanishesIsReplacedAfterOneDurationAndATransitionIsCounted() {
        assertThat(a.attempt()).isTrue();
        assertThat(b.attempt()).isFalse();
        pass(LEASE.minusNanos(1));
        assertThat(b.attempt()).isFalse();
        pass(Duration.ofNanos(1));
        assertThat(b.attempt()).isTrue();
        assertThat(spec().getHolderIdentity()).isEqualTo("b");
        assertThat(spec().getLeaseTransitions()).isEqualTo(1);
    }

    /** As client-go's renew deadline: the leader stops before another one can begin. */
    @Test
    void aLeaderThatCannotRenewStopsAtItsDeadlineAndBeforeAnotherOneLeads() {
        assertThat(a.attempt()).isTrue();
        assertThat(b.attempt()).isFalse();
        int stopped = 0;
        int taken = 0;
        for (int second = 1; taken == 0; second++) {
            pass(SECOND);
            leases.unavailable(true);
            stopped = !a.attempt() && stopped == 0 ? second : stopped;
            leases.unavailable(false);
            taken = b.attempt() ? second : 0;
        }
        assertThat(stopped).isEqualTo(10);
        assertThat(taken).isEqualTo(15);
    }

    @Test
    void errorsOfTheServerDuringARenewalDoNotEndLeadershipBeforeTheDeadline() {
        assertThat(a.attempt()).isTrue();
        long term = a.fence.term();
        for (int second = 0; second < 9; second++) {
            pass(SECOND);
            leases.failWrites(true);
            assertThat(a.attempt()).isTrue();
        }
        leases.failWrites(false);
        assertThat(a.attempt()).isTrue();
        pass(Duration.ofSeconds(9));
        assertThat(a.fence.held()).isTrue();
        assertThat(a.fence.term()).isEqualTo(term);
    }

    @Test
    void aRenewalWhoseResponseIsLostIsReadAndRepeatedInTheSameTerm() {
        assertThat(a.attempt()).isTrue();
        long term = a.fence.term();
        leases.loseResponses(true);
        pass(SECOND);
        assertThat(a.attempt()).isTrue();
        leases.loseResponses(false);
        pass(SECOND);
        assertThat(a.attempt()).isTrue();
        pass(Duration.ofSeconds(9));
        assertThat(a.fence.held()).isTrue();
        assertThat(a.fence.term()).isEqualTo(term);
    }

    @Test
    void leadershipEndsWithAConflict() {
        assertThat(a.attempt()).isTrue();
        leases.put(new LeaseBuilder(leases.lease())
                .editSpec()
                .withHolderIdentity("c")
                .endSpec()
                .build());
        assertThat(a.attempt()).isFalse();
        pass(LEASE.minus(SECOND));
        assertThat(a.attempt()).isFalse();
    }

    @Test
    void ofTwoCandidatesThatCreateTheLeaseOneWins() {
        leases.beforeNextWrite(() -> assertThat(b.attempt()).isTrue());
        assertThat(a.attempt()).isFalse();
        assertThat(a.attempt()).isFalse();
        assertThat(spec().getHolderIdentity()).isEqualTo("b");
    }

    @Test
    void ofTwoCandidatesThatFindTheLeaseExpiredOneWins() {
        Contender gone = new Contender("gone", HolderProcess.unplaced(), TIMING);
        assertThat(gone.attempt()).isTrue();
        assertThat(a.attempt()).isFalse();
        assertThat(b.attempt()).isFalse();
        pass(LEASE);
        leases.beforeNextWrite(() -> assertThat(b.attempt()).isTrue());
        assertThat(a.attempt()).isFalse();
        pass(LEASE.minus(SECOND));
        assertThat(b.attempt()).isTrue();
        assertThat(a.attempt()).isFalse();
        assertThat(spec().getLeaseTransitions()).isEqualTo(1);
    }

    @Test
    void aReleasedLeaseIsTakenAtOnce() {
        assertThat(a.attempt()).isTrue();
        assertThat(b.attempt()).isFalse();
        a.lease.release();
        assertThat(spec().getHolderIdentity()).isNull();
        assertThat(spec().getLeaseDurationSeconds()).isEqualTo(1);
        assertThat(b.attempt()).isTrue();
    }

    @Test
    void aProcessThatLostTheLeaseDoesNotReleaseThatOfItsSuccessor() {
        assertThat(a.attempt()).isTrue();
        assertThat(b.attempt()).isFalse();
        pass(LEASE);
        assertThat(b.attempt()).isTrue();
        assertThat(a.attempt()).isFalse();
        a.lease.release();
        assertThat(spec().getHolderIdentity()).isEqualTo("b");
    }

    @ParameterizedTest
    @ValueSource(ints = {-3, 3})
    void theClockOfTheHolderIsIrrelevant(int hours) {
        a.time.setWall(Duration.ofHours(hours));
        assertThat(a.attempt()).isTrue();
        for (int second = 0; second < 60; second++) {
            assertThat(a.attempt()).isTrue();
            assertThat(b.attempt()).isFalse();
            pass(SECOND);
        }
        pass(LEASE.minus(SECOND).minusNanos(1));
        assertThat(b.attempt()).isFalse();
        pass(Duration.ofNanos(1));
        assertThat(b.attempt()).isTrue();
    }

    @ParameterizedTest
    @ValueSource(ints = {-3, 3})
    void theClockOfTheFollowerMayBeSetWhileItWaits(int hours) {
        assertThat(a.attempt()).isTrue();
        assertThat(b.attempt()).isFalse();
        b.time.setWall(Duration.ofHours(hours));
        pass(LEASE.minus(SECOND));
        assertThat(b.attempt()).isFalse();
        pass(SECOND);
        assertThat(b.attempt()).isTrue();
    }

    @Test
    void aPausedLeaderMayNotActBeforeItHasRenewed() {
        assertThat(a.attempt()).isTrue();
        pass(LEASE.multipliedBy(4));
        assertThat(a.fence.held()).isFalse();
        assertThat(a.attempt()).isTrue();
    }

    @Test
    void aDeletedLeaseEndsLeadershipAndIsAcquiredInANewTerm() {
        assertThat(a.attempt()).isTrue();
        long term = a.fence.term();
        leases.delete();
        assertThat(a.attempt()).isFalse();
        assertThat(a.attempt()).isTrue();
        assertThat(a.fence.term()).isGreaterThan(term);
    }

    /** client-go reads the Lease and renews it in the same attempt; here the leader stops acting until the next one. */
    @Test
    void aLeaseWhoseMetadataAnAdministratorEditedIsKept() {
        assertThat(a.attempt()).isTrue();
        long term = a.fence.term();
        leases.put(new LeaseBuilder(leases.lease())
                .editMetadata()
                .addToLabels("team", "storage")
                .endMetadata()
                .build());
        assertThat(a.attempt()).isFalse();
        assertThat(b.attempt()).isFalse();
        assertThat(a.attempt()).isTrue();
        assertThat(a.fence.term()).isEqualTo(term);
        assertThat(spec().getLeaseTransitions()).isZero();
    }

    @Test
    void anAdministratorWhoRemovesTheHolderEndsItsLeadership() {
        assertThat(a.attempt()).isTrue();
        leases.put(new LeaseBuilder(leases.lease())
                .editSpec()
                .withHolderIdentity(null)
                .endSpec()
                .build());
        assertThat(a.attempt()).isFalse();
        assertThat(b.attempt()).isTrue();
        assertThat(a.attempt()).isFalse();
    }

    /** client-go trusts the identity: a second process with the same one would lead at once, beside the first. */
    @Test
    void aSecondProcessWithTheSameIdentityWaitsLikeAnyOther() {
        assertThat(a.attempt()).isTrue();
        Contender twin = new Contender("a", new HolderProcess("process-twin", "elsewhere"), TIMING);
        assertThat(twin.attempt()).isFalse();
        pass(LEASE.minusNanos(1), twin);
        assertThat(twin.attempt()).isFalse();
        pass(Duration.ofNanos(1), twin);
        assertThat(twin.attempt()).isTrue();
        assertThat(a.attempt()).isFalse();
    }

    @Test
    void aRestartAtThePlaceOfTheHolderLeadsAtOnceInANewTerm() {
        assertThat(a.attempt()).isTrue();
        long term = a.fence.term();
        // The place is that of the former process, so that one has ended.
        a.fence.close();
        Contender restarted = new Contender("a", new HolderProcess("process-a2", "place-a"), TIMING);
        assertThat(restarted.attempt()).isTrue();
        assertThat(restarted.fence.term()).isGreaterThan(term);
    }

    /** client-go adds up to 120 % to each pause of a follower; here it is 20 %. */
    @Test
    void followersDoNotAllRetryAtTheSameTimeAndLeadersRenewOnTime() {
        Duration retry = TIMING.retry();
        assertThat(Elector.pause(TIMING, true, 1)).isEqualTo(retry);
        assertThat(Elector.pause(TIMING, false, 0)).isEqualTo(retry);
        assertThat(List.of(0.1, 0.5, 0.9))
                .extracting(random -> Elector.pause(TIMING, false, random))
                .doesNotHaveDuplicates()
                .allSatisfy(pause -> assertThat(pause)
                        .isBetween(retry, retry.multipliedBy(12).dividedBy(10)));
    }

    private LeaseSpec spec() {
        return leases.lease().getSpec();
    }

    private void pass(Duration duration, Contender... others) {
        a.time.advance(duration);
        b.time.advance(duration);
        for (Contender other : others) {
            other.time.advance(duration);
        }
    }
}
