package io.bucketwright.buckets.claims;

import static io.bucketwright.buckets.claims.World.spec;
import static org.assertj.core.api.Assertions.assertThat;

import io.bucketwright.api.ObjectBucket;
import io.bucketwright.api.ObjectBucketClaim;
import io.bucketwright.api.Phase;
import io.bucketwright.runtime.ManualLeadership;
import io.bucketwright.runtime.objects.Metadata;
import io.bucketwright.runtime.testing.InMemoryProcess;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Secret;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.Size;

/**
 * Two processes whose watches are silent at any time, each on its own, while claims are removed by force and restored: nothing
 * that an existing claim uses is destroyed, and a claim that is deleted leaves nothing.
 */
class StaleCacheModelTest {

    /** What users do, and what the watches show. */
    enum Happening {
        WORK,
        WORK_UP_TO_DATE,
        CLAIMS_SHOWN,
        OBJECT_BUCKETS_SHOWN,
        SECRETS_SHOWN,
        CONFIG_MAPS_SHOWN,
        OTHER_PROCESS_LEADS,
        CLAIM_CREATED,
        CLAIM_DELETED,
        CLAIM_REMOVED_BY_FORCE,
        OBJECT_BUCKET_DELETED
    }

    @Property(tries = 200)
    void whatAnExistingClaimUsesIsNotDestroyed(@ForAll @Size(max = 25) List<Happening> history) {
        new Run().check(history);
    }

    /** One history in a cluster of its own. */
    private static final class Run {

        private final World world = new World(Map.of());
        private final List<ManualLeadership> leaderships = List.of(new ManualLeadership(), new ManualLeadership());
        private final List<InMemoryProcess> processes = new ArrayList<>();
        private String bucket = "photos";
        private int leader;

        void check(List<Happening> history) {
            world.reclaimOrphans();
            leaderships.get(1).lose();
            leaderships.forEach(leadership -> processes.add(world.start(leadership)));
            create();
            history.forEach(this::checked);
            world.time.advance(World.SECOND);
            checked(Happening.WORK_UP_TO_DATE);
            world.time.advance(World.SECOND.multipliedBy(60));
            checked(Happening.WORK_UP_TO_DATE);
            assertEnd(history);
            processes.forEach(InMemoryProcess::close);
        }

        private void checked(Happening happening) {
            boolean hadBucket = isInUse() && world.store.has(bucket);
            boolean hadSecret = isInUse() && hasSecret();
            happen(happening);
            if (isInUse()) {
                assertThat(world.store.has(bucket))
                        .as("bucket after %s", happening)
                        .isIn(true, hadBucket);
                assertThat(hasSecret()).as("Secret after %s", happening).isIn(true, hadSecret);
            }
        }

        private void assertEnd(List<Happening> history) {
            boolean forced = history.contains(Happening.CLAIM_REMOVED_BY_FORCE)
                    || history.contains(Happening.OBJECT_BUCKET_DELETED);
            if (world.claim().isEmpty() && !forced) {
                world.assertNothingLeft();
            }
            if (world.claim().isPresent() && !history.contains(Happening.OBJECT_BUCKET_DELETED)) {
                assertThat(world.phase()).isEqualTo(Phase.BOUND);
                assertThat(world.store.opens(world.published(), bucket)).isTrue();
            }
        }

        /** A restored claim names its former bucket, as long as it exists. */
        private void create() {
            if (!world.store.has(bucket)) {
                bucket += "-x";
            }
            world.claim(spec().bucketName(bucket));
        }

        private boolean isInUse() {
            return world.claim()
                    .filter(claim -> !Metadata.isBeingDeleted(claim))
                    .isPresent();
        }

        private boolean hasSecret() {
            String claim = world.claim().orElseThrow().getMetadata().getUid();
            return world.secret()
                    .filter(secret -> Metadata.isOwnedBy(secret, claim) && !Metadata.isBeingDeleted(secret))
                    .isPresent();
        }

        private void happen(Happening happening) {
            InMemoryProcess process = processes.get(leader);
            switch (happening) {
                case WORK -> {
                    for (int round = 0; round < 5; round++) {
                        process.runNext();
                    }
                }
                case WORK_UP_TO_DATE -> process.settle();
                case CLAIMS_SHOWN -> process.deliver(ObjectBucketClaim.class);
                case OBJECT_BUCKETS_SHOWN -> process.deliver(ObjectBucket.class);
                case SECRETS_SHOWN -> process.deliver(Secret.class);
                case CONFIG_MAPS_SHOWN -> process.deliver(ConfigMap.class);
                case OTHER_PROCESS_LEADS -> {
                    leaderships.get(leader).lose();
                    leader = 1 - leader;
                    leaderships.get(leader).gainAfterAnotherLeader();
                }
                case CLAIM_CREATED -> {
                    if (world.claim().isEmpty()) {
                        create();
                    }
                }
                case CLAIM_DELETED -> world.delete(ObjectBucketClaim.class);
                case CLAIM_REMOVED_BY_FORCE -> {
                    // The bucket of a claim that was deleted before is deleted as requested.
                    if (isInUse()) {
                        world.forceDelete(ObjectBucketClaim.class);
                    }
                }
                case OBJECT_BUCKET_DELETED ->
                    world.bucket()
                            .map(HasMetadata::getMetadata)
                            .ifPresent(found -> world.server.delete(ObjectBucket.class, "", found.getName()));
            }
        }
    }
}
