package io.bucketwright.buckets.claims;

import static org.assertj.core.api.Assertions.assertThat;

import io.bucketwright.api.ObjectBucketClaimSpec;
import io.bucketwright.api.ObjectBucketNames;
import io.bucketwright.api.Phase;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.SecretBuilder;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Credentials that are made of a key of the administrator are issued again when that key is replaced. */
class AdministratorKeyTest {

    private final MemoryStores stores = new MemoryStores();

    private World bound() {
        stores.issuer("key-1");
        World world = new World(Map.of("rotationOverlap", "1h"), stores);
        world.claim(
                ObjectBucketClaimSpec.builder().storageClassName(World.CLASS).generateBucketName("photos"));
        world.settle();
        assertThat(world.claim().orElseThrow().phase()).isEqualTo(Phase.BOUND);
        assertThat(issuer(world)).isEqualTo("key-1");
        return world;
    }

    private static String issuer(World world) {
        return world.bucket()
                .orElseThrow()
                .getSpec()
                .state()
                .getOrDefault(ObjectBucketNames.ADMINISTRATOR_KEY_STATE, "");
    }

    private static boolean opens(World world, Secret secret) {
        return world.store.opens(secret, world.store.names().iterator().next());
    }

    private static Secret secret(World world) {
        return world.secret().orElseThrow();
    }

    @Test
    void aReplacedKeyIsNoticedAfterARestartAndCredentialsAreIssuedAgainWithTheOverlap() {
        World world = bound();
        Secret first = secret(world);
        world.stop();
        stores.issuer("key-2");
        world.restart();
        world.reconcile();
        Secret second = secret(world);
        assertThat(second.getData()).isNotEqualTo(first.getData());
        assertThat(issuer(world)).isEqualTo("key-2");
        assertThat(opens(world, first)).as("during the overlap").isTrue();
        assertThat(opens(world, second)).isTrue();
        world.settle();
        assertThat(opens(world, first)).as("after the overlap").isFalse();
        assertThat(opens(world, second)).isTrue();
        assertThat(world.ready().getReason()).isEqualTo("Bound");
    }

    @Test
    void aRestartWithTheSameKeyWritesNothing() {
        World world = bound();
        int before = world.writes();
        world.restart();
        world.settle();
        assertThat(world.writes()).isEqualTo(before);
    }

    @Test
    void anObjectBucketThatDoesNotRecordTheKeyGetsNewCredentials() {
        World world = bound();
        Secret first = secret(world);
        world.editBucket(bucket -> {
            Map<String, String> state = new HashMap<>(bucket.getSpec().state());
            state.remove(ObjectBucketNames.ADMINISTRATOR_KEY_STATE);
            bucket.setSpec(bucket.getSpec().with("additionalState", state));
        });
        world.restart();
        world.settle();
        assertThat(secret(world).getData()).isNotEqualTo(first.getData());
        assertThat(issuer(world)).isEqualTo("key-1");
    }

    @Test
    void duringAnOverlapTheClaimReportsThatItsCredentialsAreStillMadeOfTheReplacedKey() {
        World world = bound();
        stores.issuer("key-2");
        world.restart();
        world.reconcile();
        Secret second = secret(world);
        stores.issuer("key-3");
        world.restart();
        world.reconcile();
        assertThat(secret(world).getData()).isEqualTo(second.getData());
        assertThat(world.ready().getReason()).isEqualTo("WaitingForPreviousKey");
        assertThat(world.ready().getMessage()).contains("Do not disable the replaced key");
        world.settleFor(Duration.ofHours(1));
        assertThat(secret(world).getData()).isNotEqualTo(second.getData());
        assertThat(issuer(world)).isEqualTo("key-3");
        assertThat(opens(world, second)).as("during the second overlap").isTrue();
        world.settle();
        assertThat(List.of(world.ready().getReason(), issuer(world))).containsExactly("Bound", "key-3");
    }

    @Test
    void aCrashBetweenSecretAndRecordDoesNotIssueCredentialsTwice() {
        World world = bound();
        world.stop();
        stores.issuer("key-2");
        world.crashAt(2, false);
        world.restart();
        world.reconcile();
        Secret second = secret(world);
        assertThat(issuer(world)).as("not recorded").isEqualTo("key-1");
        world.noFaults();
        world.settle();
        assertThat(secret(world).getData()).isEqualTo(second.getData());
        assertThat(issuer(world)).isEqualTo("key-2");
        assertThat(world.store.count("grant")).isEqualTo(1);
    }

    @Test
    void aCrashBeforeTheFirstRecordDoesNotIssueCredentialsAgain() {
        stores.issuer("key-1");
        World world = new World(Map.of("rotationOverlap", "0s"), stores);
        world.claim(
                ObjectBucketClaimSpec.builder().storageClassName(World.CLASS).generateBucketName("photos"));
        world.crashAt(5, false);
        world.reconcile();
        Secret first = secret(world);
        world.noFaults();
        world.settle();
        assertThat(world.ready().getReason()).isEqualTo("Bound");
        assertThat(secret(world).getData()).isEqualTo(first.getData());
        assertThat(issuer(world)).isEqualTo("key-1");
    }

    @Test
    void aChangedAdministratorSecretWakesTheClaimsThatItsClassOrTheirRecordNames() {
        stores.issuer("key-1");
        World world = new World(Map.of("secretName", "administrator", "secretNamespace", "system"), stores);
        world.claim(
                ObjectBucketClaimSpec.builder().storageClassName(World.CLASS).generateBucketName("photos"));
        world.settle();
        Secret first = secret(world);
        stores.issuer("key-2");
        stores.changed(administrator("another"));
        world.settle();
        assertThat(secret(world).getData()).as("another Secret wakes nobody").isEqualTo(first.getData());
        stores.changed(administrator("administrator"));
        world.reconcile();
        Secret second = secret(world);
        assertThat(second.getData()).isNotEqualTo(first.getData());
        world.settle();
        world.deleteClass();
        world.settle();
        stores.issuer("key-3");
        stores.changed(administrator("administrator"));
        world.reconcile();
        assertThat(secret(world).getData()).as("by the record").isNotEqualTo(second.getData());
    }

    private static Secret administrator(String name) {
        return new SecretBuilder()
                .withNewMetadata()
                .withNamespace("system")
                .withName(name)
                .endMetadata()
                .build();
    }
}
