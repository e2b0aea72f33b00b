package io.bucketwright.buckets.orphans;

import static org.assertj.core.api.Assertions.assertThat;

import io.bucketwright.api.ObjectBucket;
import io.bucketwright.runtime.ObjectKey;
import io.bucketwright.runtime.controller.Decision;
import io.bucketwright.runtime.controller.Result;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class OrphanDecisionTest {

    private static final Instant NOW = Instant.parse("2030-01-01T00:00:00Z");
    private static final ObjectKey CLAIM = new ObjectKey("team", "mine", "uid-1");
    private final OrphanDecision decision = new OrphanDecision(Duration.ofHours(1), false);

    private static OrphanObservation.Bucket bucket(
            Optional<ObjectKey> claim, boolean nameInUse, Optional<Instant> reported) {
        ObjectBucket bucket = new ObjectBucket();
        bucket.setMetadata(new ObjectMetaBuilder()
                .withName("obc-team-mine")
                .withUid("ob-1")
                .build());
        return new OrphanObservation.Bucket(Optional.of(bucket), claim, nameInUse, reported, NOW);
    }

    @Test
    void anOrphanIsReportedAndDeletedAfterTheGracePeriod() {
        assertThat(decision.decide(bucket(Optional.of(CLAIM), false, Optional.empty())))
                .isInstanceOfSatisfying(
                        Decision.Act.class, act -> assertThat(act.step()).isInstanceOf(OrphanStep.Report.class));
        assertThat(decision.decide(bucket(Optional.of(CLAIM), false, Optional.of(NOW.minusSeconds(60)))))
                .isEqualTo(Decision.finish(Result.requeueAfter(Duration.ofMinutes(59))));
        assertThat(decision.decide(bucket(Optional.of(CLAIM), false, Optional.of(NOW.minusSeconds(3600)))))
                .isInstanceOfSatisfying(
                        Decision.Act.class, act -> assertThat(act.step()).isInstanceOf(OrphanStep.DeleteBucket.class));
    }

    @Test
    void anObjectBucketIsNoOrphanWhileAClaimOfThatNameExists() {
        assertThat(decision.decide(bucket(Optional.of(CLAIM), true, Optional.empty())))
                .isEqualTo(Decision.done());
    }

    @Test
    void anObjectBucketWithoutAKnownClaimIsNotChanged() {
        assertThat(decision.decide(bucket(Optional.empty(), false, Optional.empty())))
                .isEqualTo(Decision.done());
    }

    @Test
    void aDryRunOnlyReports() {
        OrphanDecision dry = new OrphanDecision(Duration.ZERO, true);
        assertThat(dry.decide(bucket(Optional.of(CLAIM), false, Optional.of(NOW.minusSeconds(9999)))))
                .isEqualTo(Decision.done());
    }
}
