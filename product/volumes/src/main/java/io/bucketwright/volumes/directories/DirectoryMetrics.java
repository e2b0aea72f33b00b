package io.bucketwright.volumes.directories;

import io.bucketwright.volumes.directories.files.DirectoryTree.Space;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import java.util.stream.DoubleStream;

/** Counters and timers with the names that sig-storage-lib-external-provisioner uses, so that its dashboards work. */
record DirectoryMetrics(MeterRegistry meters) {

    private static final String CLAIM = "controller.persistentvolumeclaim.provision";
    private static final String VOLUME = "controller.persistentvolume.delete";

    /**
     * Registers the gauges of each root.
     *
     * @param usage whether to report its space
     */
    void roots(Roots roots, boolean usage) {
        for (Root root : roots.all()) {
            gauge(
                            root,
                            "bucketwright.root.open",
                            "1 while this process leads and the root is accessible",
                            current -> current.state() instanceof RootState.Open ? 1 : 0)
                    .register(meters);
            if (usage) {
                bytes(
                        root,
                        "bucketwright.root.free",
                        "Free space of the root's file system",
                        current -> space(current, Space::free));
                bytes(
                        root,
                        "bucketwright.root.total",
                        "Size of the root's file system",
                        current -> space(current, Space::total));
                bytes(
                        root,
                        "bucketwright.root.requested",
                        "Sum of the sizes that claims in the root requested",
                        current -> current.markers().requestedBytes());
            }
        }
    }

    private static long space(Root root, Function<Space, Long> part) {
        return root.space().map(part).orElse(0L);
    }

    private void bytes(Root root, String name, String description, ToDoubleFunction<Root> value) {
        gauge(root, name, description, value).baseUnit("bytes").register(meters);
    }

    private static Gauge.Builder<Root> gauge(Root root, String name, String description, ToDoubleFunction<Root> value) {
        return Gauge.builder(name, root, value)
                .tag("root", root.path().toString())
                .description(description);
    }

    void provisioned(String storageClass, Duration took) {
        increment(CLAIM, claimTags(storageClass), "Total number of persistent volumes provisioned successfully");
        record(
                CLAIM + ".duration",
                claimTags(storageClass),
                "Latency in seconds to provision persistent volumes",
                took);
    }

    void provisioningFailed(String storageClass) {
        increment(
                CLAIM + ".failed",
                claimTags(storageClass),
                "Total number of persistent volume provision failed attempts");
    }

    void deleted(String storageClass, Duration took) {
        Tags tags = Tags.of("class", storageClass);
        increment(VOLUME, tags, "Total number of persistent volumes deleted successfully");
        record(VOLUME + ".duration", tags, "Latency in seconds to delete persistent volumes", took);
    }

    void deletionFailed(String storageClass) {
        increment(
                VOLUME + ".failed",
                Tags.of("class", storageClass),
                "Total number of persistent volume delete failed attempts");
    }

    private static Tags claimTags(String storageClass) {
        return Tags.of("class", storageClass, "source", "");
    }

    private void increment(String name, Tags tags, String description) {
        Counter.builder(name)
                .tags(tags)
                .description(description)
                .register(meters)
                .increment();
    }

    /** Records into the default buckets of the Prometheus client libraries. */
    private void record(String name, Tags tags, String description, Duration took) {
        Timer.builder(name)
                .tags(tags)
                .description(description)
                .serviceLevelObjectives(DoubleStream.of(.005, .01, .025, .05, .1, .25, .5, 1, 2.5, 5, 10)
                        .mapToObj(seconds -> Duration.ofNanos((long) (seconds * 1e9)))
                        .toArray(Duration[]::new))
                .register(meters)
                .record(took);
    }
}
