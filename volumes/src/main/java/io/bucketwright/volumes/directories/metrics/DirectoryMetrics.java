package io.bucketwright.volumes.directories.metrics;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.stream.DoubleStream;

/** Counters and timers with the names that sig-storage-lib-external-provisioner uses, so that its dashboards work. */
public final class DirectoryMetrics {

    private static final String CLAIM = "controller.persistentvolumeclaim.provision";
    private static final String VOLUME = "controller.persistentvolume.delete";

    private final MeterRegistry meters;

    public DirectoryMetrics(MeterRegistry meters) {
        this.meters = meters;
    }

    public void provisioned(String storageClass, Duration took) {
        claim(CLAIM, storageClass, "Total number of persistent volumes provisioned successfully")
                .increment();
        buckets(Timer.builder(CLAIM + ".duration")
                        .tag("source", "")
                        .tag("class", storageClass)
                        .description("Latency in seconds to provision persistent volumes"))
                .record(took);
    }

    public void provisioningFailed(String storageClass) {
        claim(CLAIM + ".failed", storageClass, "Total number of persistent volume provision failed attempts")
                .increment();
    }

    public void deleted(String storageClass, Duration took) {
        volume(VOLUME, storageClass, "Total number of persistent volumes deleted successfully")
                .increment();
        buckets(Timer.builder(VOLUME + ".duration")
                        .tag("class", storageClass)
                        .description("Latency in seconds to delete persistent volumes"))
                .record(took);
    }

    public void deletionFailed(String storageClass) {
        volume(VOLUME + ".failed", storageClass, "Total number of persistent volume delete failed attempts")
                .increment();
    }

    private Counter claim(String name, String storageClass, String description) {
        return Counter.builder(name)
                .tag("class", storageClass)
                .tag("source", "")
                .description(description)
                .register(meters);
    }

    private Counter volume(String name, String storageClass, String description) {
        return Counter.builder(name)
                .tag("class", storageClass)
                .description(description)
                .register(meters);
    }

    /** The default buckets of the Prometheus client libraries. */
    private Timer buckets(Timer.Builder timer) {
        return timer.serviceLevelObjectives(DoubleStream.of(.005, .01, .025, .05, .1, .25, .5, 1, 2.5, 5, 10)
                        .mapToObj(seconds -> Duration.ofNanos((long) (seconds * 1e9)))
                        .toArray(Duration[]::new))
                .register(meters);
    }
}
