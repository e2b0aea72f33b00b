package io.bucketwright.buckets.claims;

import static io.bucketwright.buckets.claims.World.photos;
import static org.assertj.core.api.Assertions.assertThat;

import io.bucketwright.api.ObjectBucketNames;
import io.bucketwright.api.Phase;
import io.bucketwright.runtime.ManualLeadership;
import io.bucketwright.runtime.testing.InMemoryProcess;
import io.bucketwright.store.errors.StoreException.Unavailable;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** What the metrics show about a claim from its creation to its deletion, and after a restart. */
class ClaimMetricsTest {

    @Test
    void aClaimIsCountedOnceInItsPhaseAndNotAtAllOnceItIsDeleted() {
        try (World world = new World(Map.of())) {
            assertThat(claims(world)).isEmpty();
            world.store.failWith(() -> new Unavailable("The store does not respond."));
            world.reconcile(photos());
            assertThat(claims(world)).isEqualTo(Map.of("Pending StoreUnavailable", 1.0));

            world.noFaults();
            world.settle();
            assertThat(claims(world)).isEqualTo(Map.of("Bound Bound", 1.0));

            world.deleteClaim();
            world.settle();
            assertThat(claims(world)).isEmpty();
        }
    }

    @Test
    void aRequestThatWasNotAnsweredIsCountedUntilWhatItMayHaveCreatedIsDeleted() {
        try (World world = new World(Map.of())) {
            world.store.before(call -> {
                if (call.equals("provision")) {
                    world.noFaults();
                    throw new Unavailable("The store does not respond.");
                }
            });
            world.reconcile(photos());
            assertThat(unconfirmed(world)).as("the process still asks").isZero();
            world.settleFor(World.SECOND.multipliedBy(2));
            assertThat(world.phase()).isEqualTo(Phase.BOUND);
            assertThat(unconfirmed(world)).isEqualTo(1);
            world.settle();
            assertThat(unconfirmed(world)).isZero();
        }
    }

    private static double unconfirmed(World world) {
        return world.metrics().get("bucketwright.grants.unconfirmed").gauge().value();
    }

    @Test
    void aRestartedProcessCountsTheSameAndObservesNoTimeToBoundAgain() {
        try (World world = new World(Map.of())) {
            world.settle(photos());
            Timer bound = world.metrics().get("bucketwright.time.to.bound").timer();
            assertThat(bound.count()).isEqualTo(1);

            world.restart();
            world.settle();
            assertThat(claims(world)).isEqualTo(Map.of("Bound Bound", 1.0));
            assertThat(world.metrics().find("bucketwright.time.to.bound").timers())
                    .isEmpty();
        }
    }

    @Test
    void aFollowerCountsNothing() {
        try (World world = new World(Map.of())) {
            world.settle(photos());
            ManualLeadership leadership = new ManualLeadership();
            leadership.lose();
            try (InMemoryProcess follower = world.start(leadership)) {
                assertThat(follower.metrics().find("bucketwright.claims").gauges())
                        .isEmpty();
            }
        }
    }

    @Test
    void aClaimOfAnotherProvisionerIsNotCounted() {
        try (World world = new World(Map.of())) {
            world.deleteClass();
            world.createClass("other.io/bucket", Map.of());
            world.settle(photos());
            assertThat(claims(world)).isEmpty();
        }
    }

    @Test
    void aRotationThatTheStoreRefusesIsOverdue() {
        try (World world = new World(Map.of())) {
            world.settle(photos());
            assertThat(credentials(world)).containsEntry("none", 1.0).containsEntry("overdue", 0.0);
            String later = world.time.now().plus(Duration.ofHours(1)).toString();
            world.editClaim(claim -> claim.getMetadata().setAnnotations(Map.of(ObjectBucketNames.ROTATE_AT, later)));
            world.reconcile();
            assertThat(credentials(world)).containsEntry("scheduled", 1.0);

            world.store.failWith(() -> new Unavailable("The store does not respond."));
            world.settleFor(Duration.ofHours(2));
            assertThat(credentials(world)).containsEntry("overdue", 1.0);
            assertThat(oldest(world)).isEqualTo(7200.0);

            world.noFaults();
            world.settleFor(Duration.ofHours(1));
            assertThat(credentials(world)).containsEntry("overdue", 0.0);
            assertThat(oldest(world)).as("since the rotation").isEqualTo(7200.0);
        }
    }

    private static double oldest(World world) {
        return world.metrics().get("bucketwright.credentials.oldest").gauge().value();
    }

    private static Map<String, Double> claims(World world) {
        return gauges(world.metrics(), "bucketwright.claims", "phase", "reason");
    }

    private static Map<String, Double> credentials(World world) {
        return gauges(world.metrics(), "bucketwright.credentials", "rotation");
    }

    private static Map<String, Double> gauges(MeterRegistry meters, String name, String... tags) {
        Map<String, Double> found = new TreeMap<>();
        meters.find(name).gauges().forEach(gauge -> {
            StringBuilder key = new StringBuilder();
            for (String tag : tags) {
                key.append(key.isEmpty() ? "" : " ")
                        .append(Objects.requireNonNull(gauge.getId().getTag(tag)));
            }
            found.put(key.toString(), gauge.value());
        });
        return found;
    }
}
