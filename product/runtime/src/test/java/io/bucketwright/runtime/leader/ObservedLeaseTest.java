package io.bucketwright.runtime.leader;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.bucketwright.runtime.ManualTime;
import io.bucketwright.runtime.client.ApiError;
import io.bucketwright.runtime.client.ApiException;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.coordination.v1.Lease;
import io.fabric8.kubernetes.api.model.coordination.v1.LeaseBuilder;
import java.time.Duration;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ObservedLeaseTest {

    private static final LeaseTiming TIMING =
            new LeaseTiming(Duration.ofSeconds(15), Duration.ofSeconds(10), Duration.ofSeconds(2));

    private final ManualTime time = new ManualTime();
    private final FakeLeases leases = new FakeLeases();
    private final Fence fence = new Fence(time);
    private final ObservedLease lease = observed(new HolderProcess("this", "here"), fence);

    /** Reads that fail now and then must not delay the next leader. */
    @Test
    void aFailedReadDoesNotRestartTheWait() {
        leases.put(heldBy("other", now()));
        assertThat(canTake()).isFalse();
        time.advance(TIMING.lease().dividedBy(2));
        leases.unavailable(true);
        assertFails();
        leases.unavailable(false);
        assertThat(canTake()).isFalse();
        time.advance(TIMING.lease().dividedBy(2));
        assertThat(canTake()).isTrue();
    }

    @Test
    void aFailedTakeoverDoesNotRestartTheWait() {
        leases.put(heldBy("other", now()));
        assertThat(canTake()).isFalse();
        time.advance(TIMING.lease());
        leases.failWrites(true);
        assertFails();
        leases.failWrites(false);
        assertThat(canTake()).isTrue();
    }

    @Test
    void eachTakeoverIsANewTermAndARenewalIsNot() {
        acquire();
        assertThat(fence.term()).isZero();
        assertThat(canTake()).isTrue();
        assertThat(fence.term()).isZero();
        leases.put(heldBy("other", now()));
        assertFails();
        assertThat(canTake()).isFalse();
        time.advance(TIMING.lease());
        assertThat(canTake()).isTrue();
        assertThat(fence.term()).isEqualTo(2);
    }

    @Test
    void aTakeoverWithoutAResponseIsANewTermToo() {
        acquire();
        long first = fence.term();
        leases.put(heldBy("other", now()));
        assertFails();
        assertThat(canTake()).isFalse();
        time.advance(TIMING.lease());
        leases.loseResponses(true);
        assertFails();
        leases.loseResponses(false);
        assertThat(canTake()).isTrue();
        assertThat(fence.term()).isGreaterThan(first);
    }

    @Test
    void aLeaseThatIsDeletedAgainAndAgainRepeatsNoTerm() {
        acquire();
        long first = fence.term();
        leases.delete();
        assertFails();
        leases.put(heldBy("other", now()));
        assertThat(canTake()).isFalse();
        leases.delete();
        assertThat(canTake()).isTrue();
        assertThat(leases.lease().getSpec().getLeaseTransitions()).isZero();
        assertThat(fence.term()).isGreaterThan(first);
    }

    @Test
    void aRestartedProcessTakesTheLeaseOfItsPredecessorAtOnce() {
        acquire();
        long first = fence.term();
        Fence next = new Fence(time);
        assertThat(observed(new HolderProcess("restarted", "here"), next).tryAcquireOrRenew())
                .isTrue();
        assertThat(next.held()).isTrue();
        assertThat(next.term()).isGreaterThan(first);
    }

    /** Both have identity "me", and run at different places or at places that are not known. */
    @ParameterizedTest
    @CsvSource({"here,there", "here,''", "'',here", "'',''"})
    void twoProcessesWithTheSameIdentityNeverBothLead(String onePlace, String otherPlace) {
        Fence oneFence = new Fence(time);
        Fence otherFence = new Fence(time);
        ObservedLease one = observed(new HolderProcess("one", onePlace), oneFence);
        ObservedLease other = observed(new HolderProcess("other", otherPlace), otherFence);
        assertThat(one.tryAcquireOrRenew()).isTrue();
        for (int second = 0; second < 60; second++) {
            // The first one cannot reach the API server for a while: the second one takes over when its lease has
            // expired.
            if (second < 10 || second > 40) {
                try {
                    one.tryAcquireOrRenew();
                } catch (ApiException e) {
                    assertThat(e.error()).isInstanceOf(ApiError.Conflict.class);
                }
            }
            other.tryAcquireOrRenew();
            assertThat(oneFence.held() && otherFence.held())
                    .as("both lead after %s s", second)
                    .isFalse();
            time.advance(Duration.ofSeconds(1));
        }
        assertThat(otherFence.held()).isTrue();
    }

    /** Helm, Argo CD and administrators label what they find; what the last holder said about itself is not true any more. */
    @Test
    void writesKeepTheMetadataOfOthersAndReplaceWhatTheLastHolderSaid() {
        leases.put(new LeaseBuilder(heldBy("other", now()))
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
        assertThat(canTake()).isFalse();
        time.advance(TIMING.lease());
        ObservedLease described = new ObservedLease(
                new LeaseName("ns", "role", Map.of(LeaseName.SERVES, "a.example.com/bucket", LeaseName.RELEASE, "b")),
                "me",
                new HolderProcess("this", "here"),
                TIMING,
                leases,
                fence,
                time);
        assertThat(described.tryAcquireOrRenew()).isFalse();
        time.advance(TIMING.lease());
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

    private ObservedLease observed(HolderProcess process, Fence opened) {
        return new ObservedLease(new LeaseName("ns", "role"), "me", process, TIMING, leases, opened, time);
    }

    @Test
    void renewingCostsOneRequest() {
        acquire();
        int reads = leases.reads();
        int writes = leases.writes();
        for (int i = 0; i < 5; i++) {
            assertThat(lease.tryAcquireOrRenew()).isTrue();
        }
        assertThat(leases.reads()).isEqualTo(reads);
        assertThat(leases.writes()).isEqualTo(writes + 5);
    }

    @Test
    void acquiringOpensTheFenceForLessThanTheLease() {
        acquire();
        time.advance(TIMING.renewWithin().minusNanos(1));
        assertThat(fence.held()).isTrue();
        time.advance(Duration.ofNanos(1));
        assertThat(fence.held()).isFalse();
    }

    @Test
    void aConflictClosesTheFenceAndTheLeaseIsReadAgain() {
        acquire();
        leases.put(heldBy("other", now()));
        assertFails();
        assertThat(fence.held()).isFalse();
        assertThat(canTake()).isFalse();
        assertThat(lease.holder()).isEqualTo("other");
    }

    @Test
    void releasingClosesTheFenceBeforeTheRequestAndRemovesTheHolder() {
        acquire();
        leases.unavailable(true);
        assertThatThrownBy(lease::release).isInstanceOf(ApiException.class);
        assertThat(fence.held()).isFalse();
        leases.unavailable(false);
        assertThat(leases.lease().getSpec().getHolderIdentity()).isEqualTo("me");
        lease.release();
        assertThat(leases.lease().getSpec().getHolderIdentity()).isNull();
    }

    private void acquire() {
        assertThat(lease.tryAcquireOrRenew()).isTrue();
        assertThat(fence.held()).isTrue();
    }

    private void assertFails() {
        assertThatThrownBy(lease::tryAcquireOrRenew).isInstanceOf(ApiException.class);
    }

    private ZonedDateTime now() {
        return time.now().atZone(ZoneOffset.UTC);
    }

    private boolean canTake() {
        return lease.tryAcquireOrRenew();
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
