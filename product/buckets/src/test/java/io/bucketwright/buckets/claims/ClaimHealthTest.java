package io.bucketwright.buckets.claims;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.bucketwright.api.BucketStatus;
import io.bucketwright.api.Crds;
import io.bucketwright.api.ObjectBucketClaim;
import io.bucketwright.api.Phase;
import io.bucketwright.runtime.controller.Problem;
import io.bucketwright.testing.KStatus;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.time.Instant;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Flux and other tools that follow kstatus see the health of claims in every status that the controller writes. */
@Execution(ExecutionMode.CONCURRENT)
class ClaimHealthTest {

    private static final Instant NOW = Instant.parse("2026-11-17T12:00:00Z");

    @Test
    void aNewClaimIsInProgressBeforeAnyControllerSeesIt() {
        ObjectNode claim = KStatus.newObject(Crds.of(ObjectBucketClaim.class));
        assertThat(claim.at("/status/phase").asText()).isEqualTo("Pending");
        assertThat(KStatus.of(claim)).isEqualTo(KStatus.IN_PROGRESS);
    }

    @Test
    void aBoundClaimIsCurrentWithOrWithoutAWarning() {
        assertThat(health(ClaimStatus.bound("photos"))).isEqualTo(KStatus.CURRENT);
        assertThat(health(ClaimStatus.boundWithWarning("OptionsNotApplied", "m")))
                .isEqualTo(KStatus.CURRENT);
    }

    @Test
    void aProblemThatIsRetriedIsInProgress() {
        for (Phase phase : Phase.values()) {
            assertThat(health(ClaimStatus.of(Problem.retryable("StoreUnavailable", "m"), phase)))
                    .as(phase.text())
                    .isEqualTo(KStatus.IN_PROGRESS);
        }
    }

    @Test
    void aProblemThatRequiresAChangeIsAFailure() {
        for (Phase phase : Phase.values()) {
            assertThat(health(ClaimStatus.of(Problem.requiresChange("Invalid", "m"), phase)))
                    .as(phase.text())
                    .isEqualTo(KStatus.FAILED);
            assertThat(health(ClaimStatus.of(Problem.requiresUnwatchedChange("WriteRejected", "m"), phase)))
                    .as(phase.text())
                    .isEqualTo(KStatus.FAILED);
        }
        assertThat(health(ClaimStatus.released("ObjectBucketMissing", "m"))).isEqualTo(KStatus.FAILED);
    }

    @Test
    void aFailureEndsWithItsCause() {
        ObjectBucketClaim failed = withStatus(ClaimStatus.of(Problem.requiresChange("Invalid", "m"), Phase.PENDING));
        ClaimStatus bound = ClaimStatus.bound("photos");
        assertThat(bound.isShownBy(failed)).isFalse();
        ObjectBucketClaim fixed = apply(failed, bound);
        assertThat(KStatus.of(fixed)).isEqualTo(KStatus.CURRENT);
        assertThat(bound.isShownBy(fixed)).isTrue();
    }

    @Test
    void aStatusOfAnEarlierGenerationIsInProgress() {
        ObjectBucketClaim claim = withStatus(ClaimStatus.bound("photos"));
        claim.getMetadata().setGeneration(2L);
        assertThat(KStatus.of(claim)).isEqualTo(KStatus.IN_PROGRESS);
    }

    @Test
    void aDeletedClaimIsTerminatingWhateverItsStatus() {
        ObjectBucketClaim claim = withStatus(ClaimStatus.of(Problem.requiresChange("Invalid", "m"), Phase.PENDING));
        claim.getMetadata().setDeletionTimestamp("2026-11-17T12:00:00Z");
        assertThat(KStatus.of(claim)).isEqualTo(KStatus.TERMINATING);
    }

    private static KStatus health(ClaimStatus status) {
        return KStatus.of(withStatus(status));
    }

    private static ObjectBucketClaim withStatus(ClaimStatus status) {
        return apply(claim(), status);
    }

    private static ObjectBucketClaim apply(ObjectBucketClaim claim, ClaimStatus status) {
        Map<String, ?> fields = status.fields(claim, NOW);
        claim.setStatus(Serialization.unmarshal(Serialization.asJson(fields), BucketStatus.class));
        return claim;
    }

    private static ObjectBucketClaim claim() {
        ObjectBucketClaim claim = new ObjectBucketClaim();
        claim.setMetadata(new ObjectMetaBuilder()
                .withNamespace("web")
                .withName("photos")
                .withGeneration(1L)
                .build());
        return claim;
    }
}
