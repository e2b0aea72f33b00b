package io.bucketwright.buckets.orphans;

import static org.assertj.core.api.Assertions.assertThat;

import io.bucketwright.api.ObjectBucket;
import io.bucketwright.api.ObjectBucketSpec;
import io.bucketwright.buckets.orphans.OrphanDecision.OrphanObservation;
import io.bucketwright.buckets.orphans.OrphanDecision.OrphanStep;
import io.bucketwright.runtime.ObjectKey;
import io.bucketwright.runtime.controller.Decision;
import io.bucketwright.runtime.controller.Result;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class OrphanDecisionTest {

    private static final ObjectKey CLAIM = new ObjectKey("team", "mine", "uid-1");
    private final OrphanDecision decision =
            new OrphanDecision(Duration.ofHours(1), false, Set.of("test.io/bucket"), Set.of());

    private static OrphanObservation.Bucket bucket(
            Optional<ObjectKey> claim, boolean nameInUse, Optional<Duration> reported) {
        return bucket("test.io/bucket", claim, nameInUse, reported);
    }

    private static OrphanObservation.Bucket bucket(
            String provisioner, Optional<ObjectKey> claim, boolean nameInUse, Optional<Duration> reported) {
        ObjectBucket bucket = new ObjectBucket();
        bucket.setMetadata(new ObjectMetaBuilder()
                .withName("obc-team-mine")
                .withUid("ob-1")
                .build());
        bucket.setSpec(ObjectBucketSpec.EMPTY.with("intent", Map.of("version", 1, "provisioner", provisioner)));
        return new OrphanObservation.Bucket(
                new ObjectKey("", "obc-team-mine", "ob-1"), Optional.of(bucket), claim, nameInUse, reported);
    }

    private static Object step(Decision<OrphanStep> decision) {
        return decision instanceof Decision.Act<OrphanStep>(OrphanStep step) ? step : decision;
    }

    @Test
    void anOrphanIsReportedAndDeletedAfterTheGracePeriod() {
        assertThat(step(decision.decide(bucket(Optional.of(CLAIM), false, Optional.empty()))))
                .isInstanceOf(OrphanStep.Report.class);
        assertThat(decision.decide(bucket(Optional.of(CLAIM), false, Optional.of(Duration.ofMinutes(1)))))
                .isEqualTo(Decision.finish(Result.requeueAfter(Duration.ofMinutes(59))));
        assertThat(step(decision.decide(bucket(Optional.of(CLAIM), false, Optional.of(Duration.ofHours(1))))))
                .isInstanceOf(OrphanStep.DeleteBucket.class);
    }

    @Test
    void anObjectBucketIsNoOrphanWhileAClaimOfThatNameExists() {
        assertThat(decision.decide(bucket(Optional.of(CLAIM), true, Optional.empty())))
                .as("it is checked again, because no event may report the deletion of the claim")
                .isEqualTo(Decision.finish(Result.requeueAfter(Duration.ofMinutes(10))));
    }

    @Test
    void anObjectBucketWithoutAKnownClaimIsNotChanged() {
        assertThat(decision.decide(bucket(Optional.empty(), false, Optional.empty())))
                .isEqualTo(Decision.finish(Result.requeueAfter(Duration.ofMinutes(10))));
    }

    @Test
    void theGracePeriodStartsAgainAfterAClaimOfThatNameExisted() {
        OrphanObservation.Bucket back = bucket(Optional.of(CLAIM), true, Optional.of(Duration.ofSeconds(9999)));
        assertThat(decision.decide(back)).isEqualTo(Decision.act(new OrphanStep.Forget(back.key())));
    }

    @Test
    void anOrphanThatNoLongerExistsIsForgotten() {
        ObjectKey key = new ObjectKey("", "obc-team-mine", "ob-1");
        assertThat(decision.decide(new OrphanObservation.Bucket(
                        key, Optional.empty(), Optional.empty(), false, Optional.of(Duration.ZERO))))
                .isEqualTo(Decision.act(new OrphanStep.Forget(key)));
        assertThat(decision.decide(
                        new OrphanObservation.Claim(CLAIM, Optional.empty(), false, Optional.of(Duration.ZERO))))
                .isEqualTo(Decision.act(new OrphanStep.Forget(CLAIM)));
    }

    @ParameterizedTest
    @ValueSource(strings = {"rook-ceph.ceph.rook.io/bucket", ""})
    void anOrphanOfAnotherProvisionerIsOnlyReported(String provisioner) {
        assertThat(step(decision.decide(bucket(provisioner, Optional.of(CLAIM), false, Optional.empty()))))
                .isInstanceOfSatisfying(
                        OrphanStep.Report.class,
                        report -> assertThat(report.message()).contains("nothing is changed"));
        assertThat(decision.decide(
                        bucket(provisioner, Optional.of(CLAIM), false, Optional.of(Duration.ofSeconds(9999)))))
                .isEqualTo(Decision.done());
    }

    /** Two releases watch the same ObjectBuckets, and one of them deletes the orphan after the grace period. */
    @Test
    void aReleaseThatDoesNotServeTheProvisionerSaysThatAnotherOneMay() {
        assertThat(decision.decide(bucket("azure.example.com/bucket", Optional.of(CLAIM), false, Optional.empty()))
                        .toString())
                .contains("Its provisioner azure.example.com/bucket is not named with --orphans-of")
                .contains("another release of Bucketwright that serves it may delete the ObjectBucket");
        assertThat(decision.decide(bucket("", Optional.of(CLAIM), false, Optional.empty()))
                        .toString())
                .contains("Its provisioner is unknown")
                .doesNotContain("another release");
    }

    /** ObjectBuckets of Rook and NooBaa have a label and no intent. */
    @Test
    void anOrphanWithoutIntentIsKnownByItsLabelAndDeletedOnlyIfThatIsNamed() {
        OrphanObservation.Bucket old =
                unrecorded("rook-ceph.ceph.rook.io-bucket", Optional.of(Duration.ofSeconds(9999)));
        assertThat(decision.decide(old)).isEqualTo(Decision.done());
        assertThat(decision.decide(unrecorded("rook-ceph.ceph.rook.io-bucket", Optional.empty()))
                        .toString())
                .contains("Its provisioner rook-ceph.ceph.rook.io-bucket is not named with --orphans-of");
        assertThat(decision.decide(unrecorded("test.io-bucket", Optional.of(Duration.ofSeconds(9999)))))
                .as("a provisioner that records its name has no ObjectBucket without it")
                .isEqualTo(Decision.done());

        Set<String> rook = Set.of("rook-ceph.ceph.rook.io/bucket");
        OrphanDecision named = new OrphanDecision(Duration.ofHours(1), false, rook, rook);
        assertThat(step(named.decide(old))).isInstanceOf(OrphanStep.DeleteBucket.class);
    }

    private static OrphanObservation.Bucket unrecorded(String label, Optional<Duration> reported) {
        OrphanObservation.Bucket observed = bucket("", Optional.of(CLAIM), false, reported);
        ObjectBucket bucket = observed.bucket().orElseThrow();
        bucket.setSpec(ObjectBucketSpec.EMPTY);
        bucket.getMetadata().setLabels(Map.of("bucket-provisioner", label));
        return observed;
    }

    @Test
    void theGracePeriodIsWrittenAsKubernetesDoes() {
        assertThat(decision.decide(bucket(Optional.of(CLAIM), false, Optional.empty()))
                        .toString())
                .contains("deleted in 1h,");
    }

    @Test
    void aDryRunOnlyReports() {
        OrphanDecision dry = new OrphanDecision(Duration.ZERO, true, Set.of("test.io/bucket"), Set.of());
        assertThat(dry.decide(bucket(Optional.of(CLAIM), false, Optional.of(Duration.ofSeconds(9999)))))
                .isEqualTo(Decision.done());
    }
}
