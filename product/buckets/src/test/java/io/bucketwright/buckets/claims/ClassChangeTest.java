package io.bucketwright.buckets.claims;

import static io.bucketwright.buckets.claims.World.spec;
import static org.assertj.core.api.Assertions.assertThat;

import io.bucketwright.api.ObjectBucketClaim;
import io.bucketwright.api.ObjectBucketClaimSpec;
import io.bucketwright.api.Phase;
import io.bucketwright.buckets.MemoryStore;
import io.bucketwright.runtime.Moment;
import io.bucketwright.store.errors.StoreException.Invalid;
import io.bucketwright.store.errors.StoreException.Unavailable;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** How a store is reached follows the class of the same name; what happens to the bucket stays as it was recorded. */
class ClassChangeTest {

    private static final String OLD = "http://old.example.com:9000";
    private static final String NEW = "http://new.example.com:9000";

    private final MemoryStores stores = new MemoryStores();
    private final MemoryStore store = stores.at(OLD);

    private World bound(Map<String, String> parameters) {
        World world = new World(parameters, stores);
        ObjectBucketClaimSpec.Builder spec = spec();
        world.bind(parameters.containsKey("bucketName") ? spec : spec.generateBucketName("photos"));
        return world;
    }

    private static void replaceClass(World world, Map<String, String> parameters) {
        createAgain(world, parameters);
        world.settle();
    }

    /** For a class whose store is asked again and again. */
    private static void replaceClass(World world, Map<String, String> parameters, Duration duration) {
        createAgain(world, parameters);
        world.settleFor(duration);
    }

    private static void createAgain(World world, Map<String, String> parameters) {
        world.deleteClass();
        world.reconcile();
        world.createClass(parameters);
    }

    private static Map<String, String> recorded(World world) {
        return world.objectBucket().getSpec().recordedIntent().orElseThrow().parameters();
    }

    @Test
    void newCertificatesReachTheApplicationWithoutNewKeys() {
        World world = bound(Map.of("endpoint", OLD, "caBundle", "first", "onNotEmpty", "block"));
        Map<String, String> keys = world.published().getData();
        replaceClass(world, Map.of("endpoint", OLD, "caBundle", "second", "onNotEmpty", "purge"));
        assertThat(world.config()).containsEntry("ca-bundle.crt", "second");
        assertThat(world.published().getData()).isEqualTo(keys);
        assertThat(recorded(world))
                .as("only how the store is reached changes")
                .containsEntry("caBundle", "second")
                .containsEntry("onNotEmpty", "block");
        assertThat(world.ready().getReason()).isEqualTo("Bound");

        world.assertRestartWritesNothing();
    }

    @Test
    void withAllInOneSecretTheSecretGetsTheCertificatesBesideTheSameKeys() {
        World world = bound(Map.of("endpoint", OLD, "caBundle", "first", "singleSecret", "true"));
        Map<String, String> before = Map.copyOf(world.published().getData());
        replaceClass(world, Map.of("endpoint", OLD, "caBundle", "second", "singleSecret", "true"));
        Map<String, String> after = world.published().getData();
        assertThat(after.keySet()).isEqualTo(before.keySet());
        assertThat(after.get("ca-bundle.crt")).isNotEqualTo(before.get("ca-bundle.crt"));
        assertThat(after.get("AWS_SECRET_ACCESS_KEY")).isEqualTo(before.get("AWS_SECRET_ACCESS_KEY"));
        assertThat(world.ready().getReason()).isEqualTo("Bound");
    }

    @Test
    void aCrashBetweenSecretAndRecordRotatesNoKey() {
        for (int write = 1; write <= 4; write++) {
            World world = bound(Map.of("endpoint", OLD, "caBundle", "first", "singleSecret", "true"));
            String key = world.published().getData().get("AWS_SECRET_ACCESS_KEY");
            world.crashAt(write, true);
            replaceClass(world, Map.of("endpoint", OLD, "caBundle", "second", "singleSecret", "true"));
            world.noFaults();
            world.settle();
            assertThat(world.published().getData()).containsEntry("AWS_SECRET_ACCESS_KEY", key);
            assertThat(recorded(world)).containsEntry("caBundle", "second");
            world.close();
        }
    }

    @Test
    void aStoreThatTheAdministratorCallsTheSameIsReachedAtItsNewEndpoint() {
        World world = bound(Map.of("endpoint", OLD));
        stores.moveTo(NEW, store);
        replaceClass(world, Map.of("endpoint", NEW, "sameStoreAs", OLD + "/"));
        assertThat(recorded(world)).containsEntry("endpoint", NEW);
        stores.moveTo(OLD, new MemoryStore());
        world.deleteClass();
        world.deleteClaim();
        assertThat(store.names()).isEmpty();
        assertThat(world.claim()).isEmpty();
    }

    @Test
    void aDeletedClaimIsReleasedAtTheNewEndpoint() {
        World world = bound(Map.of("endpoint", OLD));
        world.stop();
        stores.moveTo(NEW, store);
        stores.moveTo(OLD, new MemoryStore());
        world.delete(ObjectBucketClaim.class);
        world.replaceClass(Map.of("endpoint", NEW, "sameStoreAs", OLD));
        world.restart();
        world.settle();
        assertThat(store.names()).isEmpty();
        assertThat(world.claim()).isEmpty();
    }

    @Test
    void aClassOfAnotherStoreIsReportedAndTheRecordIsUsed() {
        World world = bound(Map.of("endpoint", OLD));
        replaceClass(world, Map.of("endpoint", NEW));
        assertThat(world.ready().getReason()).isEqualTo("ClassNotFollowed");
        assertThat(world.phase()).isEqualTo(Phase.BOUND);
        assertThat(recorded(world)).containsEntry("endpoint", OLD);
        world.deleteClaim();
        assertThat(store.names()).isEmpty();
        assertThat(world.claim()).isEmpty();
    }

    @Test
    void aStoreThatDoesNotHaveTheBucketIsNotFollowedWhateverTheClassSays() {
        World world = bound(Map.of("endpoint", OLD));
        replaceClass(world, Map.of("endpoint", NEW, "sameStoreAs", OLD), Duration.ofSeconds(1));
        assertThat(world.ready().getReason()).isEqualTo("ClassNotFollowed");
        assertThat(recorded(world)).containsEntry("endpoint", OLD);
        assertThat(stores.at(NEW).names()).isEmpty();
        world.deleteClaim();
        assertThat(store.names()).isEmpty();
        assertThat(world.claim()).isEmpty();
    }

    /** {@code mc mirror} copies objects, and neither tags nor users. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aBucketWithoutTheTagOfTheClaimIsNotFollowed(boolean readable) {
        World world = bound(Map.of("endpoint", OLD));
        String bucket = store.names().iterator().next();
        stores.at(NEW).existing(bucket);
        if (!readable) {
            stores.at(NEW).writeNewerTags(bucket);
        }
        replaceClass(world, Map.of("endpoint", NEW, "sameStoreAs", OLD), Duration.ofSeconds(1));
        assertThat(world.ready().getReason()).isEqualTo("ClassNotFollowed");
        assertThat(recorded(world)).containsEntry("endpoint", OLD);
        world.deleteClaim();
        assertThat(store.names()).isEmpty();
        assertThat(stores.at(NEW).names()).containsExactly(bucket);
        assertThat(world.claim()).isEmpty();
    }

    @Test
    void aBucketThatLostItsTagsIsReachedAsItWasRecorded() {
        World world = bound(Map.of("endpoint", OLD, "caBundle", "first"));
        store.loseTags(store.names().iterator().next());
        replaceClass(world, Map.of("endpoint", OLD, "caBundle", "second"), Duration.ofSeconds(1));
        assertThat(world.ready().getReason()).isEqualTo("ClassNotFollowed");
        assertThat(recorded(world)).containsEntry("caBundle", "first");
    }

    @Test
    void aBucketThatAllClaimsShareIsFollowedWhateverItsTags() {
        store.existing("shared");
        World world = bound(Map.of("endpoint", OLD, "bucketName", "shared", "caBundle", "first"));
        replaceClass(world, Map.of("endpoint", OLD, "bucketName", "shared", "caBundle", "second"));
        assertThat(recorded(world)).containsEntry("caBundle", "second");
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aDeletedClaimIsReleasedAsRecordedWhileTheClassCannotReachTheStore(boolean retried) {
        World world = bound(Map.of("endpoint", OLD));
        stores.at(NEW).before(call -> {
            throw retried
                    ? new Unavailable("no route", Duration.ofSeconds(90))
                    : new Invalid("the certificate is of another authority");
        });
        replaceClass(world, Map.of("endpoint", NEW, "sameStoreAs", OLD), Duration.ofMinutes(2));
        assertThat(world.ready().getReason()).isEqualTo("ClassNotFollowed");
        world.delete(ObjectBucketClaim.class);
        world.settleFor(Duration.ofMinutes(5));
        assertThat(store.names()).isEmpty();
        assertThat(world.claim()).isEmpty();
    }

    @Test
    void anOrphanIsReleasedAsRecordedWhileTheClassCannotReachTheStore() {
        World world = bound(Map.of("endpoint", OLD));
        stores.at(NEW).before(call -> {
            throw new Unavailable("no route");
        });
        replaceClass(world, Map.of("endpoint", NEW, "sameStoreAs", OLD), Duration.ofSeconds(1));
        world.forceDelete(ObjectBucketClaim.class);
        world.settleFor(Duration.ofMinutes(5));
        assertThat(world.bucket()).isEmpty();
        assertThat(store.principals()).isZero();
    }

    @Test
    void ifNoWayToTheStoreWorksBothAreTriedWithGrowingDelays() {
        World world = bound(Map.of("endpoint", OLD));
        MemoryStore unreachable = new MemoryStore();
        unreachable.failWith(() -> new Unavailable("no route"));
        stores.moveTo(OLD, unreachable);
        stores.moveTo(NEW, unreachable);
        replaceClass(world, Map.of("endpoint", NEW, "sameStoreAs", OLD), Duration.ofSeconds(1));
        world.delete(ObjectBucketClaim.class);
        world.reconcile();
        Moment begin = world.time.moment();
        long asked = unreachable.count("verify");
        long released = unreachable.count("delete");
        while (world.time.moment().since(begin).compareTo(Duration.ofHours(1)) < 0) {
            assertThat(world.time.advanceToNextTimer()).isTrue();
            world.reconcile();
        }
        assertThat(unreachable.count("verify") - asked).isBetween(5L, 61L);
        assertThat(unreachable.count("delete") - released).isBetween(5L, 900L);
        stores.moveTo(NEW, store);
        world.settle();
        assertThat(world.claim()).isEmpty();
        assertThat(store.names()).isEmpty();
    }

    @Test
    void untilItIsKnownHowApplicationsConnectNothingIsRecorded() {
        World world = bound(Map.of("endpoint", OLD));
        stores.moveTo(NEW, store);
        stores.connectionKnown(false);
        replaceClass(world, Map.of("endpoint", NEW, "sameStoreAs", OLD));
        assertThat(recorded(world)).containsEntry("endpoint", OLD);
        world.assertReady("ClassNotFollowed", "how applications connect");
        stores.connectionKnown(true);
        world.restart();
        world.settle();
        assertThat(recorded(world)).containsEntry("endpoint", NEW);
        assertThat(world.config()).containsEntry("BUCKET_HOST", "new.example.com");
        assertThat(world.ready().getReason()).isEqualTo("Bound");
    }

    @Test
    void anotherAdministratorSecretIsFollowedWithoutKnowingHowApplicationsConnect() {
        World world = bound(Map.of("endpoint", OLD, "secretName", "first", "secretNamespace", "system"));
        stores.connectionKnown(false);
        replaceClass(world, Map.of("endpoint", OLD, "secretName", "second", "secretNamespace", "system"));
        assertThat(recorded(world)).containsEntry("secretName", "second");
    }

    @Test
    void whatFollowsFromTheRecordedParametersStaysWhenTheyChange() {
        World world = bound(Map.of("endpoint", OLD));
        stores.implied(Map.of("identity", "ceph"));
        stores.moveTo(NEW, store);
        replaceClass(world, Map.of("endpoint", OLD, "onNotEmpty", "purge"));
        assertThat(recorded(world)).as("nothing changed").doesNotContainKey("identity");
        replaceClass(world, Map.of("endpoint", NEW, "sameStoreAs", OLD));
        assertThat(recorded(world)).containsEntry("endpoint", NEW).containsEntry("identity", "ceph");
    }

    @Test
    void aStoreThatDidNotHaveTheBucketIsAskedAgainWhileTheClaimIsBound() {
        World world = bound(Map.of("endpoint", OLD));
        replaceClass(world, Map.of("endpoint", NEW, "sameStoreAs", OLD), Duration.ofSeconds(1));
        assertThat(world.ready().getReason()).isEqualTo("ClassNotFollowed");
        long asked = stores.at(NEW).count("verify");
        world.settleFor(Duration.ofMinutes(4));
        assertThat(stores.at(NEW).count("verify")).isEqualTo(asked);
        stores.moveTo(NEW, store);
        world.settleFor(Duration.ofMinutes(2));
        assertThat(recorded(world)).containsEntry("endpoint", NEW);
        assertThat(world.ready().getReason()).isEqualTo("Bound");
    }

    @Test
    void aStoreThatDidNotHaveTheBucketIsAskedAgainWhenTheRecordedOneCannotReleaseIt() {
        World world = bound(Map.of("endpoint", OLD));
        replaceClass(world, Map.of("endpoint", NEW, "sameStoreAs", OLD), Duration.ofSeconds(1));
        assertThat(world.ready().getReason()).isEqualTo("ClassNotFollowed");
        MemoryStore unreachable = new MemoryStore();
        unreachable.failWith(() -> new Unavailable("no route"));
        stores.moveTo(OLD, unreachable);
        world.delete(ObjectBucketClaim.class);
        world.settleFor(Duration.ofMinutes(2));
        assertThat(world.claim()).isPresent();
        stores.moveTo(NEW, store);
        world.settle();
        assertThat(world.claim()).isEmpty();
        assertThat(store.names()).isEmpty();
    }

    /** A process released the bucket at the new address, and ended before it could remember that. */
    @Test
    void aBucketThatThisClaimHasReleasedIsFoundAtItsNewAddress() {
        World world = bound(Map.of("endpoint", OLD, "reclaimPolicy", "Retain"));
        String bucket = store.names().iterator().next();
        world.stop();
        store.retag(bucket, "released:" + store.tag(bucket));
        MemoryStore unreachable = new MemoryStore();
        unreachable.failWith(() -> new Unavailable("no route"));
        stores.moveTo(OLD, unreachable);
        stores.moveTo(NEW, store);
        world.delete(ObjectBucketClaim.class);
        world.replaceClass(Map.of("endpoint", NEW, "sameStoreAs", OLD));
        world.restart();
        world.settleFor(Duration.ofMinutes(2));
        assertThat(world.claim()).isEmpty();
        assertThat(store.names()).containsExactly(bucket);
    }

    @Test
    void aClassThatDoesNotFitWhatIsRecordedIsReportedAndTheRecordIsUsed() {
        World world = bound(Map.of("endpoint", OLD, "tier", "gold"));
        stores.incompatible("tier", "caBundle");
        replaceClass(world, Map.of("endpoint", OLD, "caBundle", "second"));
        world.assertReady("ClassNotFollowed", "do not fit together");
        assertThat(recorded(world)).containsEntry("tier", "gold").doesNotContainKey("caBundle");
        world.deleteClaim();
        assertThat(store.names()).isEmpty();
        assertThat(world.claim()).isEmpty();
    }

    @Test
    void anEndpointThatChangesInTheAdministratorSecretReachesTheApplication() {
        stores.address(OLD);
        World world = bound(Map.of());
        Map<String, String> keys = world.published().getData();
        assertThat(world.config()).containsEntry("BUCKET_HOST", "old.example.com");
        stores.address(NEW);
        world.restart();
        world.settle();
        assertThat(world.config()).containsEntry("BUCKET_HOST", "new.example.com");
        assertThat(world.published().getData()).isEqualTo(keys);
        assertThat(world.ready().getReason()).isEqualTo("Bound");
        world.assertRestartWritesNothing();
    }

    @Test
    void anotherStoreInTheAdministratorSecretIsReportedAndApplicationsKeepTheirs() {
        stores.address(OLD);
        World world = bound(Map.of());
        stores.moveTo("", new MemoryStore());
        stores.address(NEW);
        world.restart();
        world.settleFor(Duration.ofSeconds(1));
        assertThat(world.config()).containsEntry("BUCKET_HOST", "old.example.com");
        assertThat(world.ready().getReason()).isEqualTo("ClassNotFollowed");
    }
}
