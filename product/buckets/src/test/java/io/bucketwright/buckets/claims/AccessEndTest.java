package io.bucketwright.buckets.claims;

import static io.bucketwright.buckets.claims.World.photos;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.InstanceOfAssertFactories.STRING;

import io.bucketwright.buckets.objects.RecordedBucket;
import io.bucketwright.store.options.BucketOption.Quota;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** When access ends, everything that opened the bucket ends with it, whatever happens in between. */
class AccessEndTest {

    private static final Map<String, String> PUBLIC = Map.of("anonymousAccess", "rw");

    private static World bound(Map<String, String> parameters, Map<String, String> options) {
        Map<String, String> all = new HashMap<>(parameters);
        all.put("allowedOptions", "anonymousAccess,cannedAcl,policy,versioning,tags");
        World world = new World(all);
        world.bind(photos().additionalConfig(options));
        return world;
    }

    @Test
    void anOptionThatTheClaimNoLongerSetsIsRemovedAndOthersStay() {
        World world = bound(Map.of("maxObjects", "9"), Map.of("anonymousAccess", "rw", "versioning", "true"));
        assertThat(world.store.isOpen(world.bucketName())).isTrue();
        world.settleOptions(Map.of());
        assertThat(world.store.options(world.bucketName()).all())
                .as("only what the class sets is left")
                .containsExactly(new Quota(Quota.UNLIMITED, 9));
        assertThat(world.ready().getReason()).isEqualTo("Bound");
        world.assertRestartWritesNothing();
    }

    @Test
    void aLabelThatTheClaimNoLongerHasIsRemovedFromTheTags() {
        World world = new World(Map.of("labelsAsTags", "true"));
        world.claim(photos());
        world.editClaim(claim -> claim.getMetadata().setLabels(new HashMap<>(Map.of("team", "blue"))));
        world.settle();
        assertThat(world.store.options(world.bucketName()).all().toString()).contains("blue");
        world.editClaim(claim -> claim.getMetadata().getLabels().remove("team"));
        world.settle();
        assertThat(world.store.options(world.bucketName()).all().toString()).doesNotContain("team");
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aCrashAtAnyWriteOfAnOptionThatIsTakenBackLeavesNothingOpen(boolean after) {
        List<String> open = new ArrayList<>();
        for (int write = 1; write <= 4; write++) {
            World world = bound(Map.of(), Map.of());
            world.setOptions(PUBLIC);
            world.crashAt(write, after);
            world.reconcile();
            world.setOptions(Map.of());
            world.noFaults();
            world.settle();
            if (world.store.isOpen(world.bucketName())) {
                open.add("write " + write);
            }
        }
        assertThat(open).isEmpty();
    }

    @Test
    void anOptionWhoseAnswerWasLostIsAppliedAgainWhenTheClaimChangesBack() {
        World world = bound(Map.of(), Map.of("maxObjects", "5"));
        world.setOptions(Map.of("maxObjects", "7"));
        world.crashAt(2, false);
        world.reconcile();
        assertThat(world.store.quota(world.bucketName()).maxObjects()).isEqualTo(7);
        world.setOptions(Map.of("maxObjects", "5"));
        world.noFaults();
        world.settle();
        assertThat(world.store.quota(world.bucketName()).maxObjects()).isEqualTo(5);
    }

    @ParameterizedTest
    @CsvSource({"Retain", "Erase", "Suspend"})
    void aBucketThatIsKeptIsClosedWhenItsClaimIsDeleted(String policy) {
        for (String option : List.of("anonymousAccess=rw", "cannedAcl=public-read", "policy={}")) {
            String[] pair = option.split("=", 2);
            World world = bound(Map.of("reclaimPolicy", policy), Map.of(pair[0], pair[1]));
            assertThat(world.store.isOpen(world.bucketName())).isTrue();
            world.assertDeletable();
            assertThat(world.store.isOpen(world.bucketName())).as(option).isFalse();
        }
    }

    @Test
    void eraseRevokesBeforeItDeletesObjects() {
        World world = bound(Map.of("reclaimPolicy", "Erase"), PUBLIC);
        world.store.fill(world.bucketName(), 25);
        world.deleteClaim();
        List<String> calls = world.store.calls();
        assertThat(calls.indexOf("revoke")).isBetween(0, calls.indexOf("erase") - 1);
        assertThat(calls.indexOf("update")).isBetween(0, calls.indexOf("erase") - 1);
        assertThat(world.store.objects(world.bucketName())).isZero();
    }

    @Test
    void purgeClosesTheBucketBeforeItDeletesObjects() {
        World world = bound(Map.of("onNotEmpty", "purge"), PUBLIC);
        world.store.fill(world.bucketName(), 25);
        world.deleteClaim();
        List<String> calls = world.store.calls();
        assertThat(calls.indexOf("update")).isBetween(0, calls.indexOf("delete") - 1);
        assertThat(world.store.names()).isEmpty();
    }

    @Test
    void anObjectBucketThatAnAdministratorChangedToRetainIsRetained() {
        World world = bound(Map.of(), Map.of());
        String bucket = world.bucketName();
        world.store.fill(bucket, 1);
        world.editBucket(object -> object.setSpec(object.getSpec().with("reclaimPolicy", "Retain")));
        world.settle();
        world.assertDeletable();
        assertThat(world.store.names()).containsExactly(bucket);
        assertThat(world.store.tag(bucket)).startsWith("released:");
        assertThat(world.store.principals()).isZero();
    }

    @ParameterizedTest
    @CsvSource({"Retain,Delete", "Retain,Erase", "Suspend,Delete", "Delete,Erase"})
    void aChangeToAnotherPolicyIsRevertedAndReported(String recorded, String changed) {
        World world = bound(Map.of("reclaimPolicy", recorded), Map.of());
        world.editBucket(object -> object.setSpec(object.getSpec().with("reclaimPolicy", changed)));
        world.settle();
        assertThat(world.objectBucket().getSpec().reclaimPolicy()).isEqualTo(recorded);
        assertThat(world.events("ReclaimPolicyReverted"))
                .singleElement(STRING)
                .contains("changed to \"" + changed + "\"", "It is " + recorded + " again");
    }

    @Test
    void aPolicyThatASchemaCouldNotKeepIsNotTheDecisionOfAnAdministrator() {
        World world = bound(Map.of("reclaimPolicy", "Erase"), Map.of());
        world.editBucket(object -> {
            Map<String, String> state = new HashMap<>(object.getSpec().state());
            state.put("bucketwright.io/reclaim-policy-field", "Retain");
            object.setSpec(object.getSpec().with("reclaimPolicy", "Retain").with("additionalState", state));
        });
        assertThat(new RecordedBucket(world.objectBucket()).isRetainedByAdministrator())
                .isFalse();
        world.store.fill(world.bucketName(), 3);
        world.deleteClaim();
        assertThat(world.store.objects(world.bucketName())).isZero();
    }
}
