package io.bucketwright.buckets.claims;

import static io.bucketwright.buckets.claims.World.photos;
import static io.bucketwright.buckets.claims.World.spec;
import static org.assertj.core.api.Assertions.assertThat;

import io.bucketwright.api.ObjectBucketClaim;
import io.bucketwright.api.Phase;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Who gets a bucket that had another owner: a restored claim, or one that adopts it. */
class BucketTransferTest {

    private final World world = new World(Map.of());

    private String bind() {
        world.settle(photos());
        return world.claimedBucket();
    }

    @Test
    void aClaimThatWasRestoredGetsItsBucketAgainAndTheOldKeysEnd() {
        String bucket = bind();
        world.store.fill(bucket, 3);
        world.restoreClaim();
        world.settle();
        assertThat(world.phase()).isEqualTo(Phase.BOUND);
        assertThat(world.claim().orElseThrow().getSpec().bucket()).contains(bucket);
        assertThat(world.store.names()).containsExactly(bucket);
        assertThat(world.store.objects(bucket)).isEqualTo(3);
        assertThat(world.store.keys()).as("only the new key").isEqualTo(1);
        world.store.fill(bucket, 0);
        world.deleteClaim();
        assertThat(world.store.names()).as("the restored claim owns the bucket").isEmpty();
    }

    @Test
    void aNamespaceThatWasCreatedAgainGetsItsBucketsOnlyByAnAdministratorsTransfer() {
        String bucket = bind();
        world.store.fill(bucket, 3);
        world.recreateNamespace(World.NAMESPACE);
        world.restoreClaim();
        world.settle();
        assertThat(world.reason(World.NAMESPACE, World.NAME)).isEqualTo("BucketTaken");
        assertThat(world.message(World.NAMESPACE, World.NAME)).contains("claim transfer --from-cluster this");
        world.deleteClaim();
        assertThat(world.store.objects(bucket)).as("the former tenant's data").isEqualTo(3);
    }

    @Test
    void aSuspendedTenantThatCreatesItsClaimAgainIsNotBound() {
        world.replaceClass(Map.of("reclaimPolicy", "Suspend"));
        String bucket = bind();
        world.deleteClaim();
        world.replaceClass(Map.of("reclaimPolicy", "Delete", "onNotEmpty", "purge"));
        world.settle(spec().bucketName(bucket));
        assertThat(world.reason(World.NAMESPACE, World.NAME)).isEqualTo("BucketTaken");
        world.deleteClaim();
        assertThat(world.store.names()).as("Suspend keeps it").containsExactly(bucket);
        world.replaceClass(Map.of("adopt", bucket));
        world.settle(spec().bucketName(bucket));
        assertThat(world.reason(World.NAMESPACE, World.NAME)).isEqualTo("BucketTaken");
    }

    @Test
    void aBucketThatHadToBeKeptIsKeptByAClassThatDeletesBuckets() {
        world.replaceClass(Map.of("reclaimPolicy", "Retain"));
        String bucket = bind();
        world.store.fill(bucket, 3);
        for (String policy : List.of("Delete", "Erase")) {
            world.replaceClass(Map.of("reclaimPolicy", policy, "onNotEmpty", "purge"));
            world.restoreClaim();
            world.settle();
            assertThat(world.reason(World.NAMESPACE, World.NAME)).isEqualTo("Bound");
        }
        world.deleteClaim();
        assertThat(world.claim()).isEmpty();
        assertThat(world.store.objects(bucket)).isEqualTo(3);
        assertThat(world.store.principals()).isZero();
        assertThat(world.store.tag(bucket)).as("as if the class had Retain").startsWith("released:");
    }

    /** The tenant removes the finalizer of the claim and creates the claim again under the same name, with the same bucket. */
    @ParameterizedTest
    @CsvSource({"false, false", "false, true", "true, false", "true, true"})
    void aTenantCannotUndoThatAnAdministratorRetainedTheBucket(boolean reclaimOrphans, boolean whileNoControllerRuns) {
        world.replaceClass(Map.of("onNotEmpty", "purge"));
        if (reclaimOrphans) {
            world.reclaimOrphans();
            world.restart();
        }
        String bucket = bind();
        world.store.fill(bucket, 3);
        world.editBucket(object -> object.setSpec(object.getSpec().with("reclaimPolicy", "Retain")));
        world.settle();
        if (whileNoControllerRuns) {
            world.stop();
        }
        world.forceDelete(ObjectBucketClaim.class);
        if (whileNoControllerRuns) {
            world.claim(spec().bucketName(bucket));
            world.restart();
            world.settle();
        } else {
            world.settle();
            world.settle(spec().bucketName(bucket));
        }
        assertThat(world.reason(World.NAMESPACE, World.NAME)).isIn("Bound", "BucketTaken");
        world.deleteClaim();
        assertThat(world.claim()).isEmpty();
        assertThat(world.store.has(bucket)).isTrue();
        assertThat(world.store.objects(bucket)).isEqualTo(3);
    }

    @Test
    void aBucketIsNotGivenToAClaimOfAnotherNameOrNamespace() {
        String bucket = bind();
        world.restoreClaim();
        world.createNamespace("other");
        world.claim("other", World.NAME, spec().bucketName(bucket));
        world.claim(World.NAMESPACE, "another", spec().bucketName(bucket));
        world.settle();
        assertThat(world.reason("other", World.NAME)).isEqualTo("BucketTaken");
        assertThat(world.reason(World.NAMESPACE, "another")).isEqualTo("BucketTaken");
        assertThat(world.reason(World.NAMESPACE, World.NAME)).isEqualTo("Bound");
    }

    @Test
    void aReleasedBucketIsAdoptedOnlyInTheNamespaceThatReleasedIt() {
        world.replaceClass(Map.of("reclaimPolicy", "Retain"));
        String bucket = bind();
        world.deleteClaim();
        world.replaceClass(Map.of("adopt", "photos-*"));
        world.createNamespace("other");
        world.claim("other", "thief", spec().bucketName(bucket));
        world.settle();
        assertThat(world.reason("other", "thief")).isEqualTo("BucketTaken");
        world.claim(World.NAMESPACE, "heir", spec().bucketName(bucket));
        world.settle();
        assertThat(world.reason(World.NAMESPACE, "heir")).isEqualTo("Bound");
    }

    @Test
    void theOptionsOfAClassDoNotApplyToBucketsThatItAdopts() {
        world.replaceClass(Map.of("reclaimPolicy", "Retain"));
        String bucket = bind();
        world.deleteClaim();
        long before = world.store.count("update");
        world.replaceClass(Map.of("adopt", bucket, "maxSize", "10Gi", "versioning", "true", "labelsAsTags", "true"));
        world.claim(World.NAMESPACE, "heir", spec().bucketName(bucket));
        world.server.edit(
                ObjectBucketClaim.class,
                World.NAMESPACE,
                "heir",
                claim -> claim.getMetadata().setLabels(Map.of("team", "blue")));
        world.settle();
        assertThat(world.reason(World.NAMESPACE, "heir")).isEqualTo("Bound");
        assertThat(world.store.count("update")).as("nothing is set").isEqualTo(before);
        world.claim(World.NAMESPACE, "greedy", spec().bucketName(bucket).additionalConfig(Map.of("maxSize", "1Gi")));
        world.settle();
        assertThat(world.reason(World.NAMESPACE, "greedy")).isEqualTo("Invalid");
    }

    @Test
    void aNamespaceThatWasCreatedAgainIsAnotherOneUnlessTheClassAllowsAnyNamespace() {
        world.replaceClass(Map.of("reclaimPolicy", "Retain"));
        String bucket = bind();
        world.deleteClaim();
        world.recreateNamespace(World.NAMESPACE);
        world.replaceClass(Map.of("adopt", "*"));
        world.claim(World.NAMESPACE, "next", spec().bucketName(bucket));
        world.settle();
        assertThat(world.reason(World.NAMESPACE, "next")).isEqualTo("BucketTaken");
        world.server.delete(ObjectBucketClaim.class, World.NAMESPACE, "next");
        world.settle();
        world.replaceClass(Map.of("adopt", bucket, "adoptFrom", "AnyNamespace"));
        world.claim(World.NAMESPACE, "allowed", spec().bucketName(bucket));
        world.settle();
        assertThat(world.reason(World.NAMESPACE, "allowed")).isEqualTo("Bound");
    }

    @Test
    void aBucketOfTheSameNameInAnotherStoreIsNotShared() {
        MemoryStores stores = new MemoryStores();
        World two = new World(Map.of("endpoint", "a"), stores);
        two.settle(spec().bucketName("backups"));
        stores.at("b").existing("backups");
        two.replaceClass(Map.of("endpoint", "b", "bucketName", "backups"));
        two.claim(World.NAMESPACE, "guest", spec());
        two.settle();
        assertThat(two.reason(World.NAMESPACE, "guest")).isEqualTo("Bound");
        two.deleteClaim();
        assertThat(two.claim()).as("it waits for nobody").isEmpty();
        assertThat(stores.at("a").names()).isEmpty();
        assertThat(stores.at("b").names()).containsExactly("backups");
    }
}
