package io.bucketwright.buckets.claims;

import static io.bucketwright.buckets.claims.World.photos;
import static io.bucketwright.buckets.claims.World.spec;
import static org.assertj.core.api.Assertions.assertThat;

import io.bucketwright.api.ObjectBucket;
import io.bucketwright.api.ObjectBucketClaim;
import io.bucketwright.api.ObjectBucketNames;
import io.bucketwright.api.ObjectBucketSpec;
import io.bucketwright.api.Phase;
import io.bucketwright.runtime.ManualLeadership;
import io.bucketwright.runtime.testing.InMemoryProcess;
import io.bucketwright.store.errors.StoreException.Denied;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.Secret;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A claim or an ObjectBucket whose finalizer somebody removes: access ends, and the bucket stays. */
class ForcedDeletionTest {

    private static World bound() {
        return World.bound(Map.of("anonymousAccess", "rw"));
    }

    private static void assertAccessEnded(World world, String bucket) {
        assertThat(world.store.names()).contains(bucket);
        assertThat(world.store.principals()).isZero();
        assertThat(world.store.isOpen(bucket)).isFalse();
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aDeletedClaimThatAnotherProvisionerBoundReportsWhatItWaitsFor(boolean classIsDeleted) {
        World world = new World(Map.of());
        world.stop();
        world.claim(photos());
        // As Rook labels its claims.
        world.editClaim(claim -> claim.getMetadata()
                .setLabels(Map.of(
                        ObjectBucketNames.PROVISIONER_LABEL,
                        world.settings.provisioner().label())));
        world.editClaim(claim -> claim.getMetadata().setFinalizers(List.of(ObjectBucketNames.FINALIZER)));
        ObjectBucket foreign = new ObjectBucket();
        foreign.setMetadata(new ObjectMetaBuilder().withName("obc-team-mine").build());
        foreign.setSpec(ObjectBucketSpec.EMPTY.with(
                "claimRef",
                Map.of(
                        "namespace", World.NAMESPACE,
                        "name", World.NAME,
                        "uid", world.claim().orElseThrow().getMetadata().getUid())));
        world.server.create(foreign);
        world.restart();
        world.settle();
        assertThat(world.claim().orElseThrow().getStatus())
                .as("it goes on working")
                .isNull();
        if (classIsDeleted) {
            world.deleteClass();
            world.reconcile();
        }
        world.deleteClaim();
        assertThat(world.ready().getReason()).isEqualTo("BoundByAnotherProvisioner");
        assertThat(world.events()).contains("BoundByAnotherProvisioner");
        assertThat(world.objectBucket().getStatus())
                .as("another provisioner's object")
                .isNull();
        assertThat(world.store.calls()).isEmpty();
    }

    @Test
    void theBucketOfAClaimWithoutFinalizerIsFinishedByItsProvisioner() {
        World world = bound();
        String bucket = world.bucketName();
        world.forceDelete(ObjectBucketClaim.class);
        world.settle();
        assertAccessEnded(world, bucket);
        assertThat(world.objects()).isEmpty();
        world.awaitEvent("Orphaned");
        assertThat(reclaimed(world)).isEqualTo(1);
    }

    @Test
    void aClaimThatIsDeletedWithItsFinalizerIsNoOrphan() {
        World world = bound();
        assertThat(reclaimed(world)).as("before the first one").isZero();
        world.delete(ObjectBucketClaim.class);
        world.settle();
        assertThat(world.objects()).isEmpty();
        assertThat(reclaimed(world)).isZero();
    }

    private static double reclaimed(World world) {
        return world.metrics()
                .get("bucketwright.orphans.reclaimed")
                .tag("kind", "ObjectBucket")
                .counter()
                .count();
    }

    @Test
    void aFinalizerThatWasRemovedWhileTheControllerDidNotRunIsNoticedAtItsStart() {
        World world = bound();
        String bucket = world.bucketName();
        world.forceDelete(ObjectBucketClaim.class);
        world.restart();
        world.settle();
        assertAccessEnded(world, bucket);
        assertThat(world.objects()).isEmpty();
    }

    /** Two claims of one name cannot exist at the same time: nobody needs to have seen the deletion of the former one. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aClaimThatIsCreatedAgainDoesNotKeepTheKeysOfTheFormerOne(boolean whileNoControllerRuns) {
        World world = bound();
        String bucket = world.bucketName();
        String former = world.claim().orElseThrow().getMetadata().getUid();
        world.forceDelete(ObjectBucketClaim.class);
        world.claim(photos());
        if (whileNoControllerRuns) {
            world.restart();
        }
        world.settle();
        assertThat(world.phase()).isEqualTo(Phase.BOUND);
        assertThat(world.claim().orElseThrow().getMetadata().getUid()).isNotEqualTo(former);
        assertThat(world.store.names()).hasSize(2);
        assertThat(world.store.isOpen(bucket)).isFalse();
        assertThat(world.store.principals()).as("only that of the new claim").isEqualTo(1);
        assertThat(world.store.opens(world.published(), bucket)).isFalse();
    }

    @Test
    void aClaimThatIsCreatedAgainIsBoundAlsoIfOrphansAreReclaimed() {
        World world = bound();
        String former = world.bucketName();
        Secret keys = world.published();
        world.forceDelete(ObjectBucketClaim.class);
        world.claim(photos());
        world.reclaimOrphans();
        world.restart();
        world.settle();
        assertThat(world.phase()).isEqualTo(Phase.BOUND);
        assertThat(world.store.names())
                .as("the orphans role decides about the former bucket")
                .contains(former);
        assertThat(world.store.opens(keys, former)).isFalse();
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aClaimRestoredUnderAnotherUidGetsItsBucketAndOthersLoseIt(boolean whileNoControllerRuns) {
        World world = bound();
        String bucket = world.bucketName();
        Secret former = world.published();
        world.forceDelete(ObjectBucketClaim.class);
        world.claim(spec().bucketName(bucket));
        if (whileNoControllerRuns) {
            world.restart();
        }
        world.settle();
        assertThat(world.phase()).isEqualTo(Phase.BOUND);
        assertThat(world.store.names()).containsExactly(bucket);
        assertThat(world.store.count("delete")).isZero();
        assertThat(world.store.isOpen(bucket)).as("the options of its class").isTrue();
        assertThat(world.store.opens(world.published(), bucket)).isTrue();
        assertThat(world.store.opens(former, bucket)).isFalse();
        assertThat(world.store.principals()).isEqualTo(1);
    }

    @Test
    void theUserOfAClaimWhoseObjectBucketWasRemovedByForceIsDeleted() {
        World world = bound();
        String bucket = world.bucketName();
        world.forceDeleteBucket();
        world.settle();
        assertAccessEnded(world, bucket);
        assertThat(world.phase()).isEqualTo(Phase.RELEASED);
        world.assertReady("ObjectBucketMissing", bucket, "stays in the store");
        int calls = world.store.calls().size();
        world.restart();
        world.settle();
        assertThat(world.store.calls()).as("nothing is repeated").hasSize(calls);
        world.assertDeletable();
        assertThat(world.store.names()).containsExactly(bucket);
    }

    @Test
    void aClaimThatIsDeletedWithItsObjectBucketRemovedByForceRevokesFirst() {
        World world = bound();
        world.forceDeleteBucket();
        world.assertDeletable();
        assertThat(world.store.principals()).isZero();
        world.awaitEvent("ObjectBucketMissing");
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void anObjectBucketThatTheCacheDoesNotShowYetIsNotLost(boolean deleted) {
        World world = bound();
        ObjectBucket bucket = world.objectBucket();
        world.forceDeleteBucket();
        if (deleted) {
            world.delete(ObjectBucketClaim.class);
        }
        ManualLeadership next = new ManualLeadership();
        next.lose();
        try (InMemoryProcess leader = world.start(next)) {
            bucket.getMetadata().setResourceVersion(null);
            bucket.getMetadata().setFinalizers(List.of(ObjectBucketNames.FINALIZER));
            world.server.create(bucket);
            next.gain();
            for (int round = 0; round < 10; round++) {
                leader.runNext();
            }
            if (!deleted) {
                assertThat(world.phase()).isEqualTo(Phase.BOUND);
                assertThat(world.store.principals()).isEqualTo(1);
            }
            leader.settle();
            world.time.advance(World.SECOND);
            leader.settle();
        }
        assertThat(world.store.names()).as("the reclaim policy applies").hasSize(deleted ? 0 : 1);
        assertThat(world.claim().isPresent()).isEqualTo(!deleted);
        assertThat(world.store.count("revoke")).isZero();
    }

    @Test
    void aUserThatIsSuspendedStaysIfTheControllerEndsBeforeTheClaimIsGone() {
        World world = World.settled(Map.of("reclaimPolicy", "Suspend"), photos());
        world.crashAt(8, false);
        world.delete(ObjectBucketClaim.class);
        world.reconcile();
        assertThat(world.objects()).as("only the claim is left").hasSize(1);
        world.settle();
        assertThat(world.objects()).isEmpty();
        assertThat(world.store.principals()).isEqualTo(1);
    }

    /** A bucket whose orphan is reclaimed by its policy: the claim was removed by force, and access is revoked. */
    private static World reclaimed(Map<String, String> parameters) {
        World world = new World(parameters);
        world.reclaimOrphans();
        world.restart();
        world.settle(photos());
        world.forceDelete(ObjectBucketClaim.class);
        world.settle();
        assertThat(world.bucket()).isPresent();
        assertThat(world.store.principals()).isZero();
        return world;
    }

    @Test
    void aClaimThatIsCreatedAgainLaterWithAnotherBucketIsBoundAlsoIfOrphansAreReclaimed() {
        World world = reclaimed(Map.of());
        String former = world.bucketName();
        world.bind(photos());
        assertThat(world.store.names())
                .as("the orphans role decides about the former bucket")
                .hasSize(2)
                .contains(former);
    }

    private static void restore(World world, String bucket) {
        world.claim(spec().bucketName(bucket));
    }

    private static void assertRestored(World world, String bucket) {
        assertThat(world.store.names()).containsExactly(bucket);
        assertThat(world.store.objects(bucket)).isEqualTo(7);
        world.settle();
        assertThat(world.phase()).isEqualTo(Phase.BOUND);
        assertThat(world.store.opens(world.published(), bucket)).isTrue();
        assertThat(world.store.objects(bucket)).isEqualTo(7);
    }

    @ParameterizedTest
    @ValueSource(strings = {"Delete", "Erase"})
    void theBucketOfAnOrphanSurvivesIfAClaimOfItsNameExistsThatNoWatchHasShown(String policy) {
        World world = reclaimed(Map.of("reclaimPolicy", policy, "onNotEmpty", "purge"));
        String bucket = world.bucketName();
        world.store.fill(bucket, 7);
        world.deleteBucket();
        restore(world, bucket);
        world.reconcileWith(ObjectBucket.class);
        assertRestored(world, bucket);
    }

    @Test
    void aClaimThatIsRestoredWhileTheReleaseOfAnOrphanWaitsKeepsItsBucket() {
        World world = reclaimed(Map.of());
        String bucket = world.bucketName();
        world.store.fill(bucket, 7);
        world.deleteBucket();
        world.reconcile();
        restore(world, bucket);
        world.editBucket(found -> found.getMetadata()
                .setAnnotations(new HashMap<>(Map.of(ObjectBucketNames.ON_NOT_EMPTY_ANNOTATION, "purge"))));
        world.reconcileWith(ObjectBucket.class);
        assertRestored(world, bucket);
    }

    @Test
    void anOrphanThatCannotBeReleasedReportsThatOnItsObjectBucketOnce() {
        World world = reclaimed(Map.of());
        String bucket = world.bucketName();
        world.store.fill(bucket, 7);
        world.deleteBucket();
        world.reconcile();
        for (int attempt = 0; attempt < 3; attempt++) {
            assertThat(world.time.advanceToNextTimer()).isTrue();
            world.reconcile();
        }
        assertThat(world.store.count("delete")).isGreaterThan(2);
        assertThat(world.events("BucketNotEmpty")).singleElement().asString().contains("purge");
        assertThat(world.kinds("BucketNotEmpty")).containsExactly("ObjectBucket");
        world.store.fill(bucket, 0);
        world.settle();
        assertThat(world.store.names()).isEmpty();
        assertThat(world.bucket()).isEmpty();
    }

    @Test
    void anOrphanWhoseAccessCannotBeRevokedReportsThatOnItsObjectBucket() {
        World world = bound();
        world.store.failWith(() -> new Denied("The keys of the administrator are wrong."));
        world.forceDelete(ObjectBucketClaim.class);
        world.reconcile();
        assertThat(world.events("StoreDenied")).singleElement().asString().contains("administrator");
        assertThat(world.kinds("StoreDenied")).containsExactly("ObjectBucket");
    }

    @Test
    void theEventAboutAnOrphanSaysWhatHappensToItsBucket() {
        World revoked = bound();
        revoked.forceDelete(ObjectBucketClaim.class);
        revoked.settle();
        assertThat(revoked.events("Orphaned"))
                .singleElement()
                .asString()
                .contains("The bucket stays in the store, and this ObjectBucket is deleted");
        World reclaimed = reclaimed(Map.of());
        assertThat(reclaimed.events("Orphaned"))
                .singleElement()
                .asString()
                .contains("until this ObjectBucket is deleted; then it is deleted");
    }
}
