package io.bucketwright.buckets.claims;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.bucketwright.api.ObjectBucket;
import io.bucketwright.api.ObjectBucketClaimSpec;
import io.bucketwright.api.ObjectBucketNames;
import io.bucketwright.api.Phase;
import io.bucketwright.store.access.ClaimIdentity;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A class limits the names of new buckets, so that a tenant cannot take names that others trust. */
class NewBucketNamesTest {

    private static final String SQUATTED = "cdk-hnb659fds-assets-123456789012-eu-central-1";

    private static ObjectBucketClaimSpec.Builder claim() {
        return ObjectBucketClaimSpec.builder().storageClassName("fast");
    }

    private static World world(String parameter, String value, ObjectBucketClaimSpec.Builder spec) {
        World world = new World(Map.of(parameter, value));
        world.claim(spec);
        world.settle();
        return world;
    }

    private static void assertRefused(World world, String name) {
        assertThat(world.ready().getReason()).isEqualTo("Invalid");
        assertThat(world.ready().getMessage()).contains(name).contains("not allowed");
        assertThat(world.store.calls()).isEmpty();
        assertThat(world.bucket()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "allowedBucketNames, ${namespace}.*",
        "allowedBucketNames, '${namespace}.*,apps-*'",
        "namePrefix, ${namespace}.",
        "namePrefix, apps-"
    })
    void aNameThatTheClassDoesNotAllowIsRefusedBeforeTheStoreIsCalled(String parameter, String value) {
        assertRefused(world(parameter, value, claim().bucketName(SQUATTED)), SQUATTED);
        assertRefused(world(parameter, value, claim().bucketName("team-b.photos")), "team-b.photos");
    }

    @Test
    void aFinalizerThatTheTenantSetDoesNotAllowAName() {
        World world = new World(Map.of("namePrefix", "${namespace}."));
        world.stop();
        world.claim(claim().bucketName(SQUATTED));
        world.editClaim(claim -> claim.getMetadata().setFinalizers(List.of(ObjectBucketNames.FINALIZER)));
        world.restart();
        world.settle();
        assertRefused(world, SQUATTED);
    }

    @ParameterizedTest
    @CsvSource({
        "allowedBucketNames, ${namespace}.*, team.photos",
        "allowedBucketNames, 'logs,apps-*', apps-photos",
        "namePrefix, ${namespace}., team.photos",
        "namePrefix, apps-${namespace}., apps-team.photos"
    })
    void aNameThatTheClassAllowsIsBound(String parameter, String value, String name) {
        World world = world(parameter, value, claim().bucketName(name));
        assertThat(world.claim().orElseThrow().phase()).isEqualTo(Phase.BOUND);
        assertThat(world.store.names()).containsExactly(name);
        assertThat(world.writes()).isEqualTo(7);
    }

    @ParameterizedTest
    @CsvSource({"photos", "team.photos", "Team.Photos"})
    void aGeneratedNameGetsThePrefixOfTheClassOnce(String generate) {
        World world = world("namePrefix", "${namespace}.", claim().generateBucketName(generate));
        assertThat(world.claim().orElseThrow().phase()).isEqualTo(Phase.BOUND);
        assertThat(world.store.names()).singleElement().asString().matches("team\\.photos-[a-z0-9]{20}");
    }

    @Test
    void aGeneratedNameMustMatchThePatternsToo() {
        World refused = world("allowedBucketNames", "${namespace}.*", claim().generateBucketName("photos"));
        assertRefused(refused, "photos-");
        World bound = world("allowedBucketNames", "${namespace}.*", claim().generateBucketName("team.photos"));
        assertThat(bound.claim().orElseThrow().phase()).isEqualTo(Phase.BOUND);
    }

    @Test
    void aPrefixThatLeavesNoRoomIsReported() {
        World world = world("namePrefix", "x".repeat(42), claim().generateBucketName("photos"));
        assertThat(world.ready().getReason()).isEqualTo("Invalid");
        assertThat(world.ready().getMessage()).contains("too long").contains("bucketName");
    }

    @Test
    void existingBucketsAreLimitedByAdoptAlone() {
        World world = new World(Map.of("namePrefix", "new-", "adopt", "old-*", "adoptUntagged", "true"));
        world.store.existing("old-photos");
        world.claim(claim().bucketName("old-photos"));
        world.settle();
        assertThat(world.claim().orElseThrow().phase()).isEqualTo(Phase.BOUND);
    }

    @Test
    void existingBucketsOfOldNamesAreGrantedAndAdopted() {
        World shared = new World(Map.of("bucketName", "My_Bucket"));
        shared.store.existing("My_Bucket");
        shared.claim(claim());
        shared.settle();
        assertThat(shared.claim().orElseThrow().phase()).isEqualTo(Phase.BOUND);
        assertThat(shared.store.granted())
                .as("a store may name the user by its claim")
                .extracting(ClaimIdentity::namespace, ClaimIdentity::name)
                .containsExactly(tuple("team", "mine"));
        shared.deleteClaim();
        assertThat(shared.store.names()).containsExactly("My_Bucket");

        World adopted = new World(Map.of("adopt", "My_*", "adoptUntagged", "true"));
        adopted.store.existing("My_Bucket");
        adopted.claim(claim().bucketName("My_Bucket"));
        adopted.settle();
        assertThat(adopted.claim().orElseThrow().phase()).isEqualTo(Phase.BOUND);

        World created = world("region", "us-east-1", claim().bucketName("My_Bucket"));
        assertThat(created.ready().getReason()).isEqualTo("Invalid");
        assertThat(created.store.calls()).isEmpty();
    }

    @Test
    void aBoundClaimWhoseObjectBucketIsLostStillLosesItsAccess() {
        World world = world("namePrefix", "team.", claim().generateBucketName("photos"));
        String name = world.bucket().orElseThrow().getMetadata().getName();
        world.deleteClass();
        world.createClass(Map.of("namePrefix", "other-"));
        world.editBucket(bucket -> bucket.getMetadata().setFinalizers(List.of()));
        world.server.delete(ObjectBucket.class, "", name);
        world.settle();
        assertThat(world.ready().getReason()).isEqualTo("ObjectBucketLost");
        assertThat(world.store.principals()).isZero();
    }
}
