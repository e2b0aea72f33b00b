package io.bucketwright.buckets.claims;

import static io.bucketwright.buckets.claims.World.photos;
import static io.bucketwright.buckets.claims.World.spec;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.InstanceOfAssertFactories.STRING;

import io.bucketwright.api.BucketEndpoint;
import io.bucketwright.api.Phase;
import io.bucketwright.buckets.claims.ClaimStep.Operation;
import io.bucketwright.buckets.classes.ProvisionerName;
import io.bucketwright.buckets.objects.ObjectBucketContent;
import io.bucketwright.buckets.objects.ProvisionerSettings;
import io.bucketwright.runtime.client.ApiError;
import io.bucketwright.runtime.controller.Decision;
import io.bucketwright.runtime.controller.FailedAttempt;
import io.bucketwright.runtime.controller.Problem;
import io.bucketwright.store.errors.StoreException.Invalid;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Fields of the design documents in ObjectBuckets and claims. */
class ObjectBucketFieldsTest {

    private final World world = new World(Map.of("allowedOptions", "versioning"));

    private BucketEndpoint endpoint() {
        return world.objectBucket().getSpec().reachableAt().orElseThrow();
    }

    @Test
    void theEndpointTellsWhetherVersioningIsEnabled() {
        world.settle(photos().additionalConfig(Map.of("versioning", "true")));
        assertThat(endpoint().versioned()).isTrue();
        assertThat(endpoint().additionalConfigData()).isEqualTo(endpoint().additionalConfig());
        world.settleOptions(Map.of("versioning", "false"));
        assertThat(endpoint().versioned())
                .as("what every new bucket has is no option")
                .isNull();
    }

    @Test
    void theObjectBucketOfAClaimThatFailedHasFailed() {
        world.store.existing("somebody-elses");
        world.settle(spec().bucketName("somebody-elses"));
        assertThat(world.phase()).isEqualTo(Phase.FAILED);
        assertThat(world.objectBucket().phase()).isEqualTo(Phase.FAILED);
        world.assertDeletable();
    }

    @Test
    void aRejectedStatusOfTheObjectBucketIsReportedOnTheClaim() {
        world.claim(photos());
        world.crashAt(3, false);
        world.reconcile();
        ClaimObservation observed = world.observed(ClaimState.NONE, null);
        Problem problem = ClaimDecision.rejected(new ApiError.Invalid("phase: not supported"));
        FailedAttempt rejected = new FailedAttempt(
                Operation.WRITE, observed.attempt(Operation.WRITE).inputs(), problem, 1, Duration.ofSeconds(1));
        assertThat(new ClaimDecision(world.settings).decide(world.observed(ClaimState.NONE, rejected)))
                .isInstanceOfSatisfying(
                        Decision.Act.class, act -> assertThat(act.step()).isInstanceOf(ClaimStep.SetClaimStatus.class));
    }

    @Test
    void aPolicyThatTheSchemaDoesNotAllowIsNotWrittenLaterEither() {
        World erasing = World.settled(Map.of("reclaimPolicy", "Erase"), photos());
        erasing.editBucket(bucket -> bucket.setSpec(
                ObjectBucketContent.withKnownPolicy(bucket).getSpec().with("reclaimPolicy", "Delete")));
        erasing.settle();
        assertThat(erasing.objectBucket().getSpec().reclaimPolicy()).isEqualTo("Retain");
        assertThat(erasing.events("ReclaimPolicyReverted"))
                .singleElement(STRING)
                .contains("changed to \"Delete\"", "still Erase", "Retain again", "bucketwright.io/abandon=true");
    }

    @ParameterizedTest
    @CsvSource({"true", "false"})
    void aBucketThatTheStoreRejectsIsTriedAgainIfItsAdministratorCanChangeIt(boolean existing) {
        assertThat(StoreProblems.of(new Invalid("others have access"), Operation.CREDENTIALS, existing)
                        .isRetried())
                .isEqualTo(existing);
    }

    @Test
    void aNewBucketThatTheStoreRejectsWaitsForAChangeOfItsClaim() {
        world.store.failWith("provision", () -> new Invalid("the store does not like photos"));
        world.settle(photos());
        world.settle();
        assertThat(world.store.calls()).containsOnlyOnce("provision");
    }

    @Test
    void aBucketNameThatWasChangedIsRestoredAndReported() {
        world.settle(spec().bucketName("photos"));
        world.editClaim(claim ->
                claim.setSpec(claim.getSpec().toBuilder().bucketName("others").build()));
        world.settle();
        assertThat(world.claim().orElseThrow().getSpec().bucket()).contains("photos");
        assertThat(world.events()).containsOnlyOnce("BucketNameRestored");
    }

    @ParameterizedTest
    @CsvSource({"'', x", "a b, x", "example.com/, x", "EXAMPLE.com/a, x", "app, 'not valid'", "app, -x", "a/b/c, x"})
    void labelsThatTheApiServerWouldRejectAreRejectedAtTheStart(String key, String value) {
        ProvisionerName name = new ProvisionerName("test.io/bucket");
        assertThatThrownBy(() -> new ProvisionerSettings(
                        name, Map.of(key, value), () -> "cluster-1", "", false, Map.of(), Duration.ZERO))
                .isInstanceOf(Invalid.class)
                .hasMessageContaining("is not valid");
    }
}
