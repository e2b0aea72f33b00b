package io.bucketwright.buckets.claims;

import static org.assertj.core.api.Assertions.assertThat;

import io.bucketwright.api.ObjectBucketClaimSpec;
import io.bucketwright.buckets.stores.SingleStore;
import io.bucketwright.buckets.usage.UsageMeasurement;
import io.bucketwright.runtime.ManualLeadership;
import io.bucketwright.runtime.testing.InMemoryProcess;
import io.bucketwright.store.AdministratorSecret;
import io.bucketwright.store.BucketStore;
import io.bucketwright.store.none.NoneStoreFactory;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import java.time.Duration;
import java.util.Collection;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** Measuring the buckets of bound claims. */
class BucketUsageTest {

    private static final Duration INTERVAL = Duration.ofMinutes(15);

    @Test
    void aBoundBucketIsMeasured() {
        try (World world = bound();
                InMemoryProcess process = measuring(world, world.store)) {
            pass(world, process, INTERVAL);
            assertThat(sizes(process)).hasSize(1);
        }
    }

    @Test
    void theBucketOfAnotherOwnerIsNotMeasured() {
        try (World world = bound();
                InMemoryProcess process = measuring(world, world.store)) {
            pass(world, process, INTERVAL);
            String bucket = world.claim().orElseThrow().getSpec().bucket().orElseThrow();
            world.verifyEvery(INTERVAL);
            world.store.replace(bucket, "cluster-1/somebody");
            world.restart();
            world.settleFor(INTERVAL);
            assertThat(world.ready().getReason()).isEqualTo("BucketLost");
            pass(world, process, INTERVAL);
            assertThat(sizes(process)).isEmpty();
        }
    }

    /** After a restart the store {@code none} knows none of the buckets; that is no failure to report and retry. */
    @Test
    void aBucketThatTheStoreDoesNotHaveIsMeasuredAgainAfterTheInterval() {
        try (World world = bound();
                BucketStore none = none();
                InMemoryProcess process = measuring(world, none)) {
            pass(world, process, INTERVAL);
            pass(world, process, INTERVAL);
            assertThat(sizes(process)).isEmpty();
            assertThat(results(process)).containsExactly("requeueafter");
        }
    }

    private static World bound() {
        World world = new World(Map.of());
        world.claim(
                ObjectBucketClaimSpec.builder().storageClassName(World.CLASS).generateBucketName("photos"));
        world.settle();
        return world;
    }

    private static InMemoryProcess measuring(World world, BucketStore store) {
        InMemoryProcess process = new InMemoryProcess(world.server, world.time, new ManualLeadership());
        UsageMeasurement.register(process.context(), world.settings, new SingleStore(store), INTERVAL);
        return process.start();
    }

    private static BucketStore none() {
        NoneStoreFactory factory = new NoneStoreFactory();
        return factory.open(factory.parameters().parse(Map.of()), AdministratorSecret.none());
    }

    private static void pass(World world, InMemoryProcess process, Duration time) {
        process.settle();
        world.time.advance(time);
        process.settle();
    }

    private static Collection<Gauge> sizes(InMemoryProcess process) {
        return process.context().meters().find("bucketwright.bucket.size").gauges();
    }

    private static Set<String> results(InMemoryProcess process) {
        return process.context().meters().find("bucketwright.reconciles").counters().stream()
                .filter(counter -> counter.count() > 0)
                .map(Counter::getId)
                .map(id -> Objects.requireNonNull(id.getTag("result")))
                .collect(Collectors.toSet());
    }
}
