package io.bucketwright.buckets.claims;

import static io.bucketwright.buckets.claims.World.spec;
import static org.assertj.core.api.Assertions.assertThat;

import io.bucketwright.api.ObjectBucketClaim;
import io.bucketwright.api.ObjectBucketClaimSpec;
import io.bucketwright.api.Phase;
import io.bucketwright.buckets.objects.ClaimMetadata;
import io.bucketwright.runtime.ManualLeadership;
import io.bucketwright.runtime.objects.Metadata;
import io.bucketwright.runtime.testing.InMemoryProcess;
import io.bucketwright.store.StoreCall;
import io.bucketwright.store.errors.StoreException.Unavailable;
import io.bucketwright.store.grants.Grant;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.storage.StorageClass;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Two processes and one claim: leadership changes in the worst moments, and the published key works. */
class LeadershipTermTest {

    private static final ObjectBucketClaimSpec.Builder PHOTOS = spec().generateBucketName("b");

    private final World world = new World(Map.of());
    private final ManualLeadership first = new ManualLeadership();
    private final ManualLeadership second = new ManualLeadership();
    private final InMemoryProcess old = world.start(first);
    private String publishedBySecond = "";

    @BeforeEach
    void claim() {
        second.lose();
        world.claim(PHOTOS);
    }

    @Test
    void credentialsThatAnEarlierTermReceivedAreNotPublished() {
        once("provision", world.store::after, first::lose);
        run(old);
        assertThat(world.secret()).isEmpty();
        assertPublishedKeyWorksAfterTheSecondLed();
    }

    @Test
    void aStoreCallThatContinuesInAnotherTermHasNoEffect() {
        once("provision", world.store::before, () -> {
            secondBinds();
            firstLeadsAgain();
        });
        run(old);
        assertPublishedKeyWorks();
    }

    @Test
    void aLeaderWithAnOldCacheDoesNotEndThePublishedCredentials() {
        once("provision", world.store::before, () -> {
            first.lose();
            throw new Unavailable("the process was stopped");
        });
        run(old);
        assertPublishedKeyWorksAfterTheSecondLed();
    }

    /** The store answers nothing in time, and creates the key nevertheless: later, when another one is published. */
    @Test
    void aKeyThatTheStoreCreatesLateIsDeleted() {
        once("provision", world.store::before, () -> {
            throw new Unavailable("the store does not respond");
        });
        world.settleFor(World.SECOND);
        assertThat(world.phase()).isEqualTo(Phase.BOUND);
        world.store.createLateKey();
        assertThat(world.store.keys()).isEqualTo(2);
        world.settle();
        assertPublishedKeyWorks();
        assertThat(world.grants().ledger().grants()).extracting(Grant::state).containsExactly(Grant.State.PUBLISHED);
    }

    @Test
    void aClaimThatOneProcessBindsCostsNoReadAndNoCleanUp() {
        run(old);
        assertPublishedKeyWorks();
        assertThat(world.store.count("retire")).isZero();
        assertThat(world.grants().ledger().grants()).extracting(Grant::state).containsExactly(Grant.State.PUBLISHED);
    }

    /** The watches of claims and ObjectBuckets are silent, that of Secrets is not. */
    @Test
    void aLeaderThatSeesOnlyTheSecretOfABoundClaimKeepsIt() {
        World fresh = new World(Map.of());
        try (InMemoryProcess successor = fresh.start(second)) {
            fresh.reconcile(PHOTOS);
            second.gain();
            successor.deliver(Secret.class);
            successor.deliver(ConfigMap.class);
            runWithOldCache(successor);
        }
        assertThat(fresh.phase()).isEqualTo(Phase.BOUND);
        assertThat(fresh.objects())
                .hasSize(4)
                .noneMatch(Metadata::isBeingDeleted)
                .allMatch(ClaimMetadata::hasFinalizer);
    }

    @Test
    void aLeaderThatDoesNotSeeTheObjectBucketOfADeletedClaimStillReleasesIt() {
        try (InMemoryProcess successor = world.start(second)) {
            once("provision", world.store::after, first::lose);
            run(old);
            assertThat(world.store.names()).hasSize(1);
            assertThat(world.phase()).isNotEqualTo(Phase.BOUND);
            world.delete(ObjectBucketClaim.class);
            second.gain();
            successor.deliver(StorageClass.class);
            successor.deliver(ObjectBucketClaim.class);
            runWithOldCache(successor);
            assertThat(world.claim()).as("it waits for its ObjectBucket").isPresent();
            successor.settle();
            world.time.advance(World.SECOND);
            successor.settle();
            assertThat(world.store.names()).as("released at once").isEmpty();
            world.time.advance(StoreCall.LATE);
            successor.settle();
        }
        world.assertNothingLeft();
    }

    /** The lease was not renewed in time and nobody else took it, so that the term goes on. */
    @Test
    void aBucketThatTheStoreCreatesAfterALapseOfTheLeaseAndTheDeletionOfItsClaimIsDeleted() {
        world.store.respondLate(effect -> {
            first.lose();
            world.time.after(World.SECOND.multipliedBy(20), effect);
        });
        run(old);
        assertThat(world.store.count("provision")).isEqualTo(1);
        first.gain();
        world.delete(ObjectBucketClaim.class);
        do {
            old.settle();
        } while (world.time.advanceToNextTimer());
        world.assertNothingLeft();
    }

    @Test
    void aLeaderThatSeesADeletedClaimAsANewOneDoesNotProvisionAgain() {
        World fresh = new World(Map.of());
        try (InMemoryProcess successor = fresh.start(second)) {
            fresh.claim(PHOTOS);
            fresh.crashAt(2, false);
            fresh.reconcile();
            assertThat(fresh.claim())
                    .hasValueSatisfying(claim ->
                            assertThat(ClaimMetadata.hasFinalizer(claim)).isTrue());
            successor.deliver(ObjectBucketClaim.class);
            fresh.settle();
            fresh.assertDeletable();
            second.gain();
            runWithOldCache(successor);
        }
        fresh.assertNothingLeft();
    }

    private void secondBinds() {
        first.lose();
        second.gain();
        try (InMemoryProcess successor = world.start(second)) {
            successor.settle();
        }
        assertPublishedKeyWorks();
        publishedBySecond = publishedKey();
        second.lose();
    }

    /** The first process leads again, at first with the cache from before. */
    private void assertPublishedKeyWorksAfterTheSecondLed() {
        secondBinds();
        firstLeadsAgain();
        runWithOldCache();
        assertPublishedKeyWorks();
        run(old);
        assertPublishedKeyWorks();
    }

    private void firstLeadsAgain() {
        first.gainAfterAnotherLeader();
    }

    /** Nothing that the second process wrote is in the cache of the first one yet. */
    private void runWithOldCache() {
        runWithOldCache(old);
    }

    private static void runWithOldCache(InMemoryProcess process) {
        for (int round = 0; round < 5; round++) {
            process.runNext();
        }
    }

    /** A process that does not lead tries again for ever, so this ends after some rounds. */
    private static void run(InMemoryProcess process) {
        for (int round = 0; round < 40; round++) {
            process.deliverNext();
            process.runNext();
        }
    }

    private static void once(String call, Consumer<Consumer<String>> hook, Runnable event) {
        AtomicBoolean happened = new AtomicBoolean();
        hook.accept(name -> {
            if (name.equals(call) && happened.compareAndSet(false, true)) {
                event.run();
            }
        });
    }

    private void assertPublishedKeyWorks() {
        assertThat(world.phase()).isEqualTo(Phase.BOUND);
        Secret secret = world.published();
        String bucket = world.bucketName();
        assertThat(world.store.opens(
                        value(secret, "AWS_ACCESS_KEY_ID"), value(secret, "AWS_SECRET_ACCESS_KEY"), bucket))
                .as("the published key works")
                .isTrue();
        assertThat(world.store.keys()).as("live keys").isEqualTo(1);
        if (!publishedBySecond.isEmpty()) {
            assertThat(publishedKey()).as("the key that pods use already").isEqualTo(publishedBySecond);
        }
    }

    private String publishedKey() {
        return value(world.published(), "AWS_ACCESS_KEY_ID");
    }

    private static String value(Secret secret, String key) {
        return new String(Base64.getDecoder().decode(secret.getData().get(key)), StandardCharsets.UTF_8);
    }
}
