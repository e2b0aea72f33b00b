package io.bucketwright.buckets.orphans;

import static org.assertj.core.api.Assertions.assertThat;

import io.bucketwright.api.ObjectBucket;
import io.bucketwright.buckets.orphans.OrphanRules.Observed;
import io.bucketwright.buckets.orphans.OrphanRules.Step;
import io.bucketwright.runtime.ObjectKey;
import io.bucketwright.runtime.controller.Decision;
import io.bucketwright.runtime.controller.Result;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class OrphanRulesTest {

    private static final Instant NOW = Instant.parse("2030-01-01T00:00:00Z");
    private static final ObjectKey CLAIM = new ObjectKey("team", "mine", "uid-1");
    private final OrphanRules rules = new OrphanRules(Duration.ofHours(1), false);

    private static Observed.Bucket bucket(Optional<ObjectKey> claim, boolean inUse, Optional<Instant> noticed) {
        ObjectBucket bucket = new ObjectBucket();
        bucket.setMetadata(new ObjectMetaBuilder()
                .withName("obc-team-mine")
                .withUid("ob-1")
                .build());
        return new Observed.Bucket(Optional.of(bucket), claim, inUse, noticed, NOW);
    }

    @Test
    void anOrphanIsReportedThenWaitedForThenRemoved() {
        assertThat(rules.decide(bucket(Optional.of(CLAIM), false, Optional.empty())))
                .isInstanceOfSatisfying(
                        Decision.Act.class, act -> assertThat(act.step()).isInstanceOf(Step.Report.class));
        assertThat(rules.decide(bucket(Optional.of(CLAIM), false, Optional.of(NOW.minusSeconds(60)))))
                .isEqualTo(Decision.finish(Result.requeueAfter(Duration.ofMinutes(59))));
        assertThat(rules.decide(bucket(Optional.of(CLAIM), false, Optional.of(NOW.minusSeconds(3600)))))
                .isInstanceOfSatisfying(
                        Decision.Act.class, act -> assertThat(act.step()).isInstanceOf(Step.Remove.class));
    }

    @Test
    void aClaimOfThatNameWhateverItsUidIsNoOrphansClaim() {
        assertThat(rules.decide(bucket(Optional.of(CLAIM), true, Optional.empty())))
                .isEqualTo(Decision.done());
    }

    @Test
    void aBucketThatDoesNotTellItsClaimIsLeftAlone() {
        assertThat(rules.decide(bucket(Optional.empty(), false, Optional.empty())))
                .isEqualTo(Decision.done());
    }

    @Test
    void aDryRunReportsAndNothingElse() {
        OrphanRules dry = new OrphanRules(Duration.ZERO, true);
        assertThat(dry.decide(bucket(Optional.of(CLAIM), false, Optional.of(NOW.minusSeconds(9999)))))
                .isEqualTo(Decision.done());
    }
}
