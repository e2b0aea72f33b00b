package io.bucketwright.buckets.claims;

import static org.assertj.core.api.Assertions.assertThat;

import io.bucketwright.buckets.stores.SingleStore;
import io.bucketwright.buckets.stores.StoreSource;
import io.bucketwright.runtime.ManualLeadership;
import io.bucketwright.runtime.testing.InMemoryProcess;
import io.bucketwright.store.AdministratorSecret;
import io.bucketwright.store.BucketStore;
import io.bucketwright.store.none.NoneStoreFactory;
import io.bucketwright.store.observation.MeasuredStore;
import io.bucketwright.store.observation.StoreObserver;
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
        try (World world = World.bound(Map.of());
                InMemoryProcess process = measuring(world, world.store)) {
            pass(world, process, INTERVAL);
            assertThat(sizes(process)).hasSize(1);
        }
    }

    @Test
    void theBucketOfAnotherOwnerIsNotMeasured() {
        try (World world = World.bound(Map.of());
                InMemoryProcess process = measuring(world, world.store)) {
            pass(world, process, INTERVAL);
            String bucket = world.claimedBucket();
            world.verifyEvery(INTERVAL);
            world.store.replace(bucket, "cluster-1/somebody");
            world.restart();
            world.settleFor(INTERVAL);
            assertThat(world.ready().getReason()).isEqualTo("BucketReplaced");
            pass(world, process, INTERVAL);
            assertThat(sizes(process)).isEmpty();
        }
    }

    /** The store that the class of today names may have a bucket of that name that belongs to somebody else. */
    @Test
    void theStoreOfAClassThatWasCreatedAgainIsMeasuredOnlyWhenItIsRecorded() {
        MemoryStores stores = new MemoryStores();
        try (World world = World.bound(Map.of(), stores);
                InMemoryProcess process = measuring(world, stores)) {
            world.replaceClass(Map.of("endpoint", "new", "sameStoreAs", ""));
            String bucket = stores.first().names().iterator().next();
            stores.first().fill(bucket, 2);
            stores.at("new").existing(bucket);
            stores.at("new").fill(bucket, 7);
            pass(world, process, INTERVAL);
            assertThat(sizes(process))
                    .singleElement()
                    .satisfies(size -> assertThat(size.value()).isEqualTo(2000));
        }
    }

    /** After a restart the store {@code none} knows none of the buckets; that is no failure to report and retry. */
    @Test
    void aBucketThatTheStoreDoesNotHaveIsMeasuredAgainAfterTheInterval() {
        try (World world = World.bound(Map.of());
                BucketStore none = none();
                InMemoryProcess process = measuring(world, none)) {
            pass(world, process, INTERVAL);
            pass(world, process, INTERVAL);
            assertThat(sizes(process)).isEmpty();
            assertThat(results(process)).containsExactly("requeueafter");
        }
    }

    private static InMemoryProcess measuring(World world, BucketStore store) {
        return measuring(world, new SingleStore(new MeasuredStore("test", store, StoreObserver.none())));
    }

    private static InMemoryProcess measuring(World world, StoreSource stores) {
        InMemoryProcess process = new InMemoryProcess(world.server, world.time, new ManualLeadership());
        UsageMeasurement.register(process.context(), world.settings, stores, INTERVAL);
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
