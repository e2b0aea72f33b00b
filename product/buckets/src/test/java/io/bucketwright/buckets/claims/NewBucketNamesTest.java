package io.bucketwright.buckets.claims;

import static io.bucketwright.buckets.claims.World.spec;
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

    private static World world(String parameter, String value, ObjectBucketClaimSpec.Builder spec) {
        return World.settled(Map.of(parameter, value), spec);
    }

    private static void assertRefused(World world, String name) {
        world.assertReady("Invalid", name, "not allowed");
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
        assertRefused(world(parameter, value, spec().bucketName(SQUATTED)), SQUATTED);
        assertRefused(world(parameter, value, spec().bucketName("team-b.photos")), "team-b.photos");
    }

    @Test
    void aFinalizerThatTheTenantSetDoesNotAllowAName() {
        World world = new World(Map.of("namePrefix", "${namespace}."));
        world.stop();
        world.claim(spec().bucketName(SQUATTED));
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
        World world = world(parameter, value, spec().bucketName(name));
        assertThat(world.phase()).isEqualTo(Phase.BOUND);
        assertThat(world.store.names()).containsExactly(name);
        assertThat(world.writes()).isEqualTo(7);
    }

    @ParameterizedTest
    @CsvSource({"photos", "team.photos", "Team.Photos"})
    void aGeneratedNameGetsThePrefixOfTheClassOnce(String generate) {
        World world = world("namePrefix", "${namespace}.", spec().generateBucketName(generate));
        assertThat(world.phase()).isEqualTo(Phase.BOUND);
        assertThat(world.store.names()).singleElement().asString().matches("team\\.photos-[a-z0-9]{20}");
    }

    @Test
    void aGeneratedNameMustMatchThePatternsToo() {
        World refused = world("allowedBucketNames", "${namespace}.*", spec().generateBucketName("photos"));
        assertRefused(refused, "photos-");
        World bound = world("allowedBucketNames", "${namespace}.*", spec().generateBucketName("team.photos"));
        assertThat(bound.phase()).isEqualTo(Phase.BOUND);
    }

    @Test
    void aPrefixThatLeavesNoRoomIsReported() {
        World world = world("namePrefix", "x".repeat(42), spec().generateBucketName("photos"));
        world.assertReady("Invalid", "too long", "bucketName");
    }

    @Test
    void existingBucketsAreLimitedByAdoptAlone() {
        World world = new World(Map.of("namePrefix", "new-", "adopt", "old-*", "adoptUntagged", "true"));
        world.store.existing("old-photos");
        world.bind(spec().bucketName("old-photos"));
    }

    @Test
    void existingBucketsOfOldNamesAreGrantedAndAdopted() {
        World shared = new World(Map.of("bucketName", "My_Bucket"));
        shared.store.existing("My_Bucket");
        shared.bind(spec());
        assertThat(shared.store.granted())
                .as("a store may name the user by its claim")
                .extracting(ClaimIdentity::namespace, ClaimIdentity::name)
                .containsExactly(tuple("team", "mine"));
        shared.deleteClaim();
        assertThat(shared.store.names()).containsExactly("My_Bucket");

        World adopted = new World(Map.of("adopt", "My_*", "adoptUntagged", "true"));
        adopted.store.existing("My_Bucket");
        adopted.bind(spec().bucketName("My_Bucket"));

        World created = world("region", "us-east-1", spec().bucketName("My_Bucket"));
        assertThat(created.ready().getReason()).isEqualTo("Invalid");
        assertThat(created.store.calls()).isEmpty();
    }

    @Test
    void aBoundClaimWhoseObjectBucketIsLostStillLosesItsAccess() {
        World world = world("namePrefix", "team.", spec().generateBucketName("photos"));
        String name = world.objectBucket().getMetadata().getName();
        world.replaceClass(Map.of("namePrefix", "other-"));
        world.editBucket(bucket -> bucket.getMetadata().setFinalizers(List.of()));
        world.server.delete(ObjectBucket.class, "", name);
        world.settle();
        assertThat(world.ready().getReason()).isEqualTo("ObjectBucketMissing");
        assertThat(world.store.principals()).isZero();
    }
}
