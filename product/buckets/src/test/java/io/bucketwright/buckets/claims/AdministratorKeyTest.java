package io.bucketwright.buckets.claims;

import static io.bucketwright.buckets.claims.World.photos;
import static org.assertj.core.api.Assertions.assertThat;

import io.bucketwright.api.ObjectBucketNames;
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
        World world = World.bound(Map.of("rotationOverlap", "1h"), stores);
        assertThat(issuer(world)).isEqualTo("key-1");
        return world;
    }

    private static String issuer(World world) {
        return world.grants().issuer();
    }

    @Test
    void aReplacedKeyIsNoticedAfterARestartAndCredentialsAreIssuedAgainWithTheOverlap() {
        World world = bound();
        Secret first = world.published();
        world.stop();
        stores.issuer("key-2");
        world.restart();
        world.reconcile();
        Secret second = world.published();
        assertThat(second.getData()).isNotEqualTo(first.getData());
        assertThat(issuer(world)).isEqualTo("key-2");
        assertThat(world.opens(first)).as("during the overlap").isTrue();
        assertThat(world.opens(second)).isTrue();
        world.settle();
        assertThat(world.opens(first)).as("after the overlap").isFalse();
        assertThat(world.opens(second)).isTrue();
        assertThat(world.ready().getReason()).isEqualTo("Bound");
    }

    @Test
    void aRestartWithTheSameKeyWritesNothing() {
        World world = bound();
        world.assertRestartWritesNothing();
    }

    @Test
    void anObjectBucketThatDoesNotRecordTheKeyGetsNewCredentials() {
        World world = bound();
        Secret first = world.published();
        world.editBucket(bucket -> {
            Map<String, String> state = new HashMap<>(bucket.getSpec().state());
            state.computeIfPresent(
                    ObjectBucketNames.GRANTS, (_, text) -> text.replace("administratorKey", "of-another-release"));
            bucket.setSpec(bucket.getSpec().with("additionalState", state));
        });
        world.restart();
        world.settle();
        assertThat(world.published().getData()).isNotEqualTo(first.getData());
        assertThat(issuer(world)).isEqualTo("key-1");
    }

    @Test
    void duringAnOverlapTheClaimReportsThatItsCredentialsAreStillMadeOfTheReplacedKey() {
        World world = bound();
        stores.issuer("key-2");
        world.restart();
        world.reconcile();
        Secret second = world.published();
        stores.issuer("key-3");
        world.restart();
        world.reconcile();
        assertThat(world.published().getData()).isEqualTo(second.getData());
        world.assertReady("WaitingForPreviousKey", "Do not disable the replaced key");
        world.settleFor(Duration.ofHours(1));
        assertThat(world.published().getData()).isNotEqualTo(second.getData());
        assertThat(issuer(world)).isEqualTo("key-3");
        assertThat(world.opens(second)).as("during the second overlap").isTrue();
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
        Secret second = world.published();
        assertThat(issuer(world)).as("not recorded").isEqualTo("key-1");
        world.noFaults();
        world.settle();
        assertThat(world.published().getData()).isEqualTo(second.getData());
        assertThat(issuer(world)).isEqualTo("key-2");
        assertThat(world.store.count("grant")).isEqualTo(1);
    }

    @Test
    void aCrashBeforeTheFirstRecordDoesNotIssueCredentialsAgain() {
        stores.issuer("key-1");
        World world = new World(Map.of("rotationOverlap", "0s"), stores);
        world.claim(photos());
        world.crashAt(5, false);
        world.reconcile();
        Secret first = world.published();
        world.noFaults();
        world.settle();
        assertThat(world.ready().getReason()).isEqualTo("Bound");
        assertThat(world.published().getData()).isEqualTo(first.getData());
        assertThat(issuer(world)).isEqualTo("key-1");
    }

    @Test
    void aChangedAdministratorSecretWakesTheClaimsThatItsClassOrTheirRecordNames() {
        stores.issuer("key-1");
        World world = new World(Map.of("secretName", "administrator", "secretNamespace", "system"), stores);
        world.settle(photos());
        Secret first = world.published();
        stores.issuer("key-2");
        stores.changed(administrator("another"));
        world.settle();
        assertThat(world.published().getData())
                .as("another Secret wakes nobody")
                .isEqualTo(first.getData());
        stores.changed(administrator("administrator"));
        world.reconcile();
        Secret second = world.published();
        assertThat(second.getData()).isNotEqualTo(first.getData());
        world.settle();
        world.deleteClass();
        world.settle();
        stores.issuer("key-3");
        stores.changed(administrator("administrator"));
        world.reconcile();
        assertThat(world.published().getData()).as("by the record").isNotEqualTo(second.getData());
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
