package io.bucketwright.buckets.claims;

import static io.bucketwright.buckets.claims.World.photos;
import static io.bucketwright.buckets.claims.World.spec;
import static org.assertj.core.api.Assertions.assertThat;

import io.bucketwright.api.ObjectBucket;
import io.bucketwright.api.ObjectBucketClaim;
import io.bucketwright.api.ObjectBucketClaimSpec;
import io.bucketwright.runtime.Moment;
import io.bucketwright.store.options.Capability;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A class with adoptOrphans gives a claim the bucket of a claim that no longer exists, and only that. */
class OrphanAdoptionTest {

    private static final Map<String, String> ADOPTING = Map.of("adopt", "*", "adoptOrphans", "true");
    private static final Duration RETRY = Duration.ofMinutes(20);

    private final World world = new World(Map.of());

    @AfterEach
    void close() {
        world.close();
    }

    /** A bound claim with three objects, and then a class that adopts orphans. */
    private String bind(Map<String, String> parameters) {
        world.replaceClass(parameters);
        world.settle(photos());
        String bucket = world.claimedBucket();
        world.store.fill(bucket, 3);
        return bucket;
    }

    /** The cluster loses objects without their controller: their finalizers are removed while it does not run. */
    private void lose(List<HasMetadata> objects) {
        world.stop();
        objects.forEach(world::forceDelete);
        world.restart();
    }

    private String heir(String namespace, String bucket) {
        world.claim(namespace, "heir", spec().bucketName(bucket));
        world.reconcile();
        return world.reason(namespace, "heir");
    }

    @Test
    void aClaimOfAnotherNameAdoptsTheBucketAndTheOldKeyEnds() {
        String bucket = bind(Map.of());
        lose(world.objects());
        world.replaceClass(ADOPTING);
        assertThat(heir(World.NAMESPACE, bucket)).isEqualTo("Bound");
        assertThat(world.store.objects(bucket)).isEqualTo(3);
        assertThat(world.store.keys()).as("only the new key").isEqualTo(1);
        assertThat(world.store.tag(bucket)).startsWith("adopted:");
        assertThat(world.events("OrphanAdopted")).singleElement().asString().contains(bucket);
        world.server.delete(ObjectBucketClaim.class, World.NAMESPACE, "heir");
        world.settle();
        assertThat(world.store.names()).as("an adopted bucket is never deleted").containsExactly(bucket);
    }

    @Test
    void aSuspendedBucketIsAdopted() {
        String bucket = bind(Map.of("reclaimPolicy", "Suspend"));
        world.deleteClaim();
        world.replaceClass(ADOPTING);
        assertThat(heir(World.NAMESPACE, bucket)).isEqualTo("Bound");
        assertThat(world.store.principals()).as("the suspended user is deleted").isEqualTo(1);
    }

    @Test
    void withoutTheParameterTheBucketStaysTaken() {
        String bucket = bind(Map.of());
        lose(world.objects());
        world.replaceClass(Map.of("adopt", "*"));
        assertThat(heir(World.NAMESPACE, bucket)).isEqualTo("BucketTaken");
        assertThat(world.store.keys()).isEqualTo(1);
        assertThat(world.store.count("find")).as("no further request").isZero();
    }

    @Test
    void theBucketOfAClaimThatExistsIsRefusedUntilTheClaimIsDeleted() {
        String bucket = bind(Map.of("reclaimPolicy", "Suspend"));
        world.replaceClass(ADOPTING);
        assertThat(heir(World.NAMESPACE, bucket)).isEqualTo("OrphanNotAdopted");
        assertThat(world.events("OrphanNotAdopted")).singleElement().asString().contains("a claim that exists");
        world.settleFor(RETRY);
        assertThat(world.reason(World.NAMESPACE, World.NAME)).isEqualTo("Bound");
        assertThat(world.store.keys()).isEqualTo(1);
        int writes = world.writes();
        world.settleFor(RETRY);
        assertThat(world.writes()).as("retries write nothing").isEqualTo(writes);
        world.delete(ObjectBucketClaim.class);
        world.settleFor(RETRY);
        world.settleFor(RETRY);
        assertThat(world.reason(World.NAMESPACE, "heir")).isEqualTo("Bound");
    }

    @Test
    void anObjectBucketOfTheFormerClaimKeepsTheBucketUntilItIsDeleted() {
        // Otherwise the controller deletes the ObjectBucket itself, at once.
        world.reclaimOrphans();
        String bucket = bind(Map.of());
        lose(List.of(world.claim().orElseThrow()));
        world.replaceClass(ADOPTING);
        assertThat(heir(World.NAMESPACE, bucket)).isEqualTo("OrphanNotAdopted");
        assertThat(world.events("OrphanNotAdopted")).singleElement().asString().contains("whose ObjectBucket exists");
        lose(world.server.list(ObjectBucket.class).stream()
                .filter(found -> found.getMetadata().getName().endsWith(World.NAME))
                .<HasMetadata>map(found -> found)
                .toList());
        world.settleFor(RETRY);
        assertThat(world.reason(World.NAMESPACE, "heir")).isEqualTo("Bound");
    }

    @Test
    void aClaimThatWasCreatedAgainKeepsItsBucketIfItRequestsIt() {
        String bucket = bind(Map.of());
        lose(world.objects());
        // Waits for its class, so that it has not got its bucket back yet.
        world.claim(
                World.NAMESPACE,
                World.NAME,
                ObjectBucketClaimSpec.builder().storageClassName("missing").bucketName(bucket));
        world.replaceClass(ADOPTING);
        assertThat(heir(World.NAMESPACE, bucket)).isEqualTo("OrphanNotAdopted");
    }

    @Test
    void aClaimOfTheSameNameAndAnotherUidDoesNotKeepTheBucketItDoesNotRequest() {
        String bucket = bind(Map.of());
        lose(world.objects());
        world.claim(
                World.NAMESPACE,
                World.NAME,
                ObjectBucketClaimSpec.builder().storageClassName("missing").generateBucketName("other"));
        world.replaceClass(ADOPTING);
        assertThat(heir(World.NAMESPACE, bucket)).isEqualTo("Bound");
    }

    @Test
    void anotherNamespaceGetsTheBucketOnlyIfTheClassAllowsIt() {
        String bucket = bind(Map.of());
        lose(world.objects());
        world.createNamespace("other");
        world.replaceClass(ADOPTING);
        assertThat(heir("other", bucket)).isEqualTo("OrphanNotAdopted");
        assertThat(world.store.keys()).as("nothing is changed").isEqualTo(1);
        world.server.delete(ObjectBucketClaim.class, "other", "heir");
        world.settle();
        world.replaceClass(Map.of("adopt", bucket, "adoptOrphans", "true", "adoptFrom", "AnyNamespace"));
        assertThat(heir("other", bucket)).isEqualTo("Bound");
    }

    @Test
    void aNamespaceThatWasCreatedAgainIsAnotherOne() {
        String bucket = bind(Map.of());
        lose(world.objects());
        world.recreateNamespace(World.NAMESPACE);
        world.replaceClass(ADOPTING);
        assertThat(heir(World.NAMESPACE, bucket)).isEqualTo("OrphanNotAdopted");
    }

    @Test
    void aBucketOfAnotherClusterIsRefused() {
        String bucket = bind(Map.of());
        lose(world.objects());
        world.settings = World.settings("cluster-2", "", false, Duration.ZERO);
        world.restart();
        world.replaceClass(Map.of("adopt", bucket, "adoptOrphans", "true", "adoptFrom", "AnyNamespace"));
        assertThat(heir(World.NAMESPACE, bucket)).isEqualTo("OrphanNotAdopted");
        assertThat(world.store.keys()).isEqualTo(1);
    }

    @Test
    void aControllerOfOneNamespaceAdoptsOnlyBucketsOfThatNamespace() {
        String bucket = bind(Map.of());
        lose(world.objects());
        world.createNamespace("other");
        serve("other");
        world.replaceClass(Map.of("adopt", bucket, "adoptOrphans", "true", "adoptFrom", "AnyNamespace"));
        assertThat(heir("other", bucket)).isEqualTo("OrphanNotAdopted");
        assertThat(world.events("OrphanNotAdopted")).singleElement().asString().contains("does not serve");
        serve(World.NAMESPACE);
        assertThat(heir(World.NAMESPACE, bucket)).isEqualTo("Bound");
    }

    private void serve(String namespace) {
        world.settings = World.settings("cluster-1", namespace, false, Duration.ZERO);
        world.restart();
    }

    @Test
    void aBucketThatOtherClaimsUseIsRefused() {
        String bucket = bind(Map.of());
        world.replaceClass(Map.of("bucketName", bucket));
        world.claim(World.NAMESPACE, "guest", spec());
        world.reconcile();
        assertThat(world.reason(World.NAMESPACE, "guest")).isEqualTo("Bound");
        ObjectBucket owned = world.server.list(ObjectBucket.class).stream()
                .filter(found -> found.getMetadata().getName().endsWith(World.NAME))
                .findFirst()
                .orElseThrow();
        lose(List.of(world.claim().orElseThrow(), owned));
        world.replaceClass(ADOPTING);
        assertThat(heir(World.NAMESPACE, bucket)).isEqualTo("OrphanNotAdopted");
        assertThat(world.events("OrphanNotAdopted")).singleElement().asString().contains("1 other claim has access");
    }

    @Test
    void ofTwoClaimsOneAdoptsTheOrphan() {
        String bucket = bind(Map.of());
        lose(world.objects());
        world.replaceClass(ADOPTING);
        world.claim(World.NAMESPACE, "one", spec().bucketName(bucket));
        world.claim(World.NAMESPACE, "two", spec().bucketName(bucket));
        world.reconcile();
        assertThat(List.of(world.reason(World.NAMESPACE, "one"), world.reason(World.NAMESPACE, "two")))
                .containsExactlyInAnyOrder("Bound", "OrphanNotAdopted");
    }

    @ParameterizedTest
    @ValueSource(strings = {"find", "revoke", "release", "adopt", "grant"})
    void aCrashAfterAnyCallToTheStoreEndsWithOneKey(String call) {
        String bucket = bind(Map.of());
        lose(world.objects());
        world.replaceClass(ADOPTING);
        AtomicBoolean crashed = new AtomicBoolean();
        world.store.after(name -> {
            if (name.equals(call) && crashed.compareAndSet(false, true)) {
                throw new IllegalStateException("the process ends after " + call);
            }
        });
        heir(World.NAMESPACE, bucket);
        assertThat(crashed).isTrue();
        world.restart();
        world.settleFor(RETRY);
        assertThat(world.reason(World.NAMESPACE, "heir")).isEqualTo("Bound");
        assertThat(world.store.keys()).isEqualTo(1);
    }

    @Test
    void aStoreThatCannotFindBucketsIsRejectedBeforeAnythingIsRecorded() {
        world.store.without(Capability.LIST);
        world.replaceClass(ADOPTING);
        assertThat(heir(World.NAMESPACE, "photos")).isEqualTo("Unsupported");
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void theBucketIsGivenToOthersWhenTheServiceRefusesTheFormerKey(boolean restarted) {
        String bucket = bind(Map.of());
        world.store.accessEndsWithin(Duration.ofMinutes(2));
        lose(world.objects());
        world.replaceClass(ADOPTING);
        Map<String, Moment> first = new HashMap<>();
        world.store.after(call -> first.putIfAbsent(call, world.time.moment()));
        assertThat(heir(World.NAMESPACE, bucket)).isNotEqualTo("Bound");
        assertThat(world.message(World.NAMESPACE, "heir")).contains("may still accept");
        assertThat(world.store.count("release")).isZero();
        assertThat(world.store.keys()).as("the former key").isZero();
        if (restarted) {
            world.restart();
        }
        world.settleFor(Duration.ofMinutes(1));
        assertThat(world.store.count("release")).isZero();
        world.settleFor(RETRY);
        assertThat(world.reason(World.NAMESPACE, "heir")).isEqualTo("Bound");
        assertThat(Objects.requireNonNull(first.get("release")).since(Objects.requireNonNull(first.get("revoke"))))
                .isGreaterThanOrEqualTo(Duration.ofMinutes(2));
    }
}
