package io.bucketwright.runtime.leader;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.bucketwright.runtime.ManualTime;
import io.bucketwright.runtime.client.ApiError;
import io.bucketwright.runtime.client.ApiException;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.coordination.v1.Lease;
import io.fabric8.kubernetes.api.model.coordination.v1.LeaseBuilder;
import io.fabric8.kubernetes.api.model.coordination.v1.LeaseSpec;
import java.time.Duration;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
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
            lease = new ObservedLease(
                    new LeaseName("ns", "role"), identity, process, timing, leases.client(), fence, time);
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

    /** Reads that fail now and then must not delay the next leader. */
    @Test
    void aFailedReadDoesNotRestartTheWait() {
        leases.put(heldByOther());
        assertThat(a.attempt()).isFalse();
        pass(LEASE.dividedBy(2));
        leases.unavailable(true);
        assertFails();
        leases.unavailable(false);
        assertThat(a.attempt()).isFalse();
        pass(LEASE.dividedBy(2));
        assertThat(a.attempt()).isTrue();
    }

    @Test
    void aFailedTakeoverDoesNotRestartTheWait() {
        leases.put(heldByOther());
        assertThat(a.attempt()).isFalse();
        pass(LEASE);
        leases.failWrites(true);
        assertFails();
        leases.failWrites(false);
        assertThat(a.attempt()).isTrue();
    }

    @Test
    void eachTakeoverIsANewTermAndARenewalIsNot() {
        assertThat(a.attempt()).isTrue();
        assertThat(a.fence.term()).isZero();
        assertThat(a.attempt()).isTrue();
        assertThat(a.fence.term()).isZero();
        leases.put(heldByOther());
        assertFails();
        assertThat(a.attempt()).isFalse();
        pass(LEASE);
        assertThat(a.attempt()).isTrue();
        assertThat(a.fence.term()).isEqualTo(2);
    }

    @Test
    void aTakeoverWithoutAResponseIsANewTermToo() {
        assertThat(a.attempt()).isTrue();
        long first = a.fence.term();
        leases.put(heldByOther());
        assertFails();
        assertThat(a.attempt()).isFalse();
        pass(LEASE);
        leases.loseResponses(true);
        assertFails();
        leases.loseResponses(false);
        assertThat(a.attempt()).isTrue();
        assertThat(a.fence.term()).isGreaterThan(first);
    }

    @Test
    void aLeaseThatIsDeletedAgainAndAgainRepeatsNoTerm() {
        assertThat(a.attempt()).isTrue();
        long first = a.fence.term();
        leases.delete();
        assertFails();
        leases.put(heldByOther());
        assertThat(a.attempt()).isFalse();
        leases.delete();
        assertThat(a.attempt()).isTrue();
        assertThat(spec().getLeaseTransitions()).isZero();
        assertThat(a.fence.term()).isGreaterThan(first);
    }

    /** Both have the same identity, and run at different places or at places that are not known. */
    @ParameterizedTest
    @CsvSource({"here,there", "here,''", "'',here", "'',''"})
    void twoProcessesWithTheSameIdentityNeverBothLead(String onePlace, String otherPlace) {
        Contender one = new Contender("a", new HolderProcess("one", onePlace), TIMING);
        Contender other = new Contender("a", new HolderProcess("other", otherPlace), TIMING);
        assertThat(one.attempt()).isTrue();
        for (int second = 0; second < 60; second++) {
            // The first one cannot reach the API server for a while: the second one takes over when its lease has
            // expired.
            if (second < 10 || second > 40) {
                try {
                    one.lease.tryAcquireOrRenew();
                } catch (ApiException e) {
                    assertThat(e.error()).isInstanceOf(ApiError.Conflict.class);
                }
            }
            other.lease.tryAcquireOrRenew();
            assertThat(one.fence.held() && other.fence.held())
                    .as("both lead after %s s", second)
                    .isFalse();
            pass(SECOND, one, other);
        }
        assertThat(other.fence.held()).isTrue();
    }

    /** Helm, Argo CD and administrators label what they find; what the last holder said about itself is not true any more. */
    @Test
    void writesKeepTheMetadataOfOthersAndReplaceWhatTheLastHolderSaid() {
        leases.put(new LeaseBuilder(heldByOther())
                .editOrNewMetadata()
                .addToLabels("team", "storage")
                .addToLabels("bucketwright.io/release", "former")
                .addToAnnotations("argocd.argoproj.io/tracking-id", "a")
                .addToAnnotations("bucketwright.io/serves", "former.example.com/bucket")
                .addToAnnotations("bucketwright.io/store", "azure")
                .addToFinalizers("example.com/audit")
                .addNewOwnerReference()
                .withName("owner")
                .endOwnerReference()
                .endMetadata()
                .build());
        ObservedLease described = new ObservedLease(
                new LeaseName("ns", "role", Map.of(LeaseName.SERVES, "a.example.com/bucket", LeaseName.RELEASE, "b")),
                "me",
                new HolderProcess("this", "here"),
                TIMING,
                leases.client(),
                a.fence,
                a.time);
        assertThat(described.tryAcquireOrRenew()).isFalse();
        pass(LEASE);
        for (int writes = 0; writes < 3; writes++) {
            assertThat(described.tryAcquireOrRenew()).isTrue();
            assertMetadata("this");
        }
        described.release();
        assertMetadata(null);
    }

    private void assertMetadata(@Nullable String process) {
        ObjectMeta metadata = leases.lease().getMetadata();
        assertThat(metadata.getLabels())
                .containsExactlyInAnyOrderEntriesOf(Map.of(
                        "team", "storage", "app.kubernetes.io/name", "bucketwright", "bucketwright.io/release", "b"));
        assertThat(metadata.getAnnotations())
                .containsEntry("argocd.argoproj.io/tracking-id", "a")
                .containsEntry("bucketwright.io/serves", "a.example.com/bucket")
                .doesNotContainKey("bucketwright.io/store");
        assertThat(metadata.getAnnotations().get(HolderProcess.ID_ANNOTATION)).isEqualTo(process);
        assertThat(metadata.getFinalizers()).containsExactly("example.com/audit");
        assertThat(metadata.getOwnerReferences()).hasSize(1);
    }

    @Test
    void renewingCostsOneRequest() {
        assertThat(a.attempt()).isTrue();
        int reads = leases.reads();
        int writes = leases.writes();
        for (int i = 0; i < 5; i++) {
            assertThat(a.attempt()).isTrue();
        }
        assertThat(leases.reads()).isEqualTo(reads);
        assertThat(leases.writes()).isEqualTo(writes + 5);
    }

    @Test
    void aConflictClosesTheFenceAndTheLeaseIsReadAgain() {
        assertThat(a.attempt()).isTrue();
        leases.put(heldByOther());
        assertFails();
        assertThat(a.fence.held()).isFalse();
        assertThat(a.attempt()).isFalse();
        assertThat(a.lease.holder()).isEqualTo("other");
        pass(LEASE.minus(SECOND));
        assertThat(a.attempt()).isFalse();
    }

    @Test
    void releasingClosesTheFenceBeforeTheRequestAndRemovesTheHolder() {
        assertThat(a.attempt()).isTrue();
        leases.unavailable(true);
        assertThatThrownBy(a.lease::release).isInstanceOf(ApiException.class);
        assertThat(a.fence.held()).isFalse();
        leases.unavailable(false);
        assertThat(spec().getHolderIdentity()).isEqualTo("a");
        a.lease.release();
        assertThat(spec().getHolderIdentity()).isNull();
    }

    private void assertFails() {
        assertThatThrownBy(a.lease::tryAcquireOrRenew).isInstanceOf(ApiException.class);
    }

    private Lease heldByOther() {
        ZonedDateTime renewed = a.time.now().atZone(ZoneOffset.UTC);
        return new LeaseBuilder()
                .withNewMetadata()
                .withNamespace("ns")
                .withName("role")
                .endMetadata()
                .withNewSpec()
                .withHolderIdentity("other")
                .withLeaseDurationSeconds((int) LEASE.toSeconds())
                .withAcquireTime(renewed)
                .withRenewTime(renewed)
                .withLeaseTransitions(1)
                .endSpec()
                .build();
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
