package io.bucketwright.volumes.directories.metrics;

import io.bucketwright.volumes.directories.roots.RootState;
import io.bucketwright.volumes.directories.roots.Roots;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.stream.DoubleStream;

/** Counters and timers with the names that sig-storage-lib-external-provisioner uses, so that its dashboards work. */
public record DirectoryMetrics(MeterRegistry meters) {

    private static final String CLAIM = "controller.persistentvolumeclaim.provision";
    private static final String VOLUME = "controller.persistentvolume.delete";

    /** Registers whether each root is accessible. */
    public void roots(Roots roots) {
        roots.all()
                .forEach(root -> Gauge.builder(
                                "bucketwright.root.open",
                                root,
                                current -> current.state() instanceof RootState.Open ? 1 : 0)
                        .tag("root", root.path().toString())
                        .description("1 while this process leads and the root is accessible")
                        .register(meters));
    }

    public void provisioned(String storageClass, Duration took) {
        increment(CLAIM, claimTags(storageClass), "Total number of persistent volumes provisioned successfully");
        record(
                CLAIM + ".duration",
                claimTags(storageClass),
                "Latency in seconds to provision persistent volumes",
                took);
    }

    public void provisioningFailed(String storageClass) {
        increment(
                CLAIM + ".failed",
                claimTags(storageClass),
                "Total number of persistent volume provision failed attempts");
    }

    public void deleted(String storageClass, Duration took) {
        Tags tags = Tags.of("class", storageClass);
        increment(VOLUME, tags, "Total number of persistent volumes deleted successfully");
        record(VOLUME + ".duration", tags, "Latency in seconds to delete persistent volumes", took);
    }

    public void deletionFailed(String storageClass) {
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
