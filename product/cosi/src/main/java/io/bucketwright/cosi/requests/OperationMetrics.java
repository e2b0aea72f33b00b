package io.bucketwright.cosi.requests;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/** How long operations that users request take, and how they end. */
public final class OperationMetrics {

    /** Names and bounds are those of the COSI enhancement proposal. */
    public static final String SECONDS = "cosi.operation.total";

    public static final String COUNT = "cosi.operation.count";

    private static final Duration[] BOUNDS = {
        Duration.ofMillis(100),
        Duration.ofMillis(250),
        Duration.ofMillis(500),
        Duration.ofSeconds(1),
        Duration.ofMillis(2500),
        Duration.ofSeconds(5),
        Duration.ofSeconds(10),
        Duration.ofSeconds(15),
        Duration.ofSeconds(30),
        Duration.ofSeconds(60),
        Duration.ofSeconds(120),
        Duration.ofSeconds(300),
        Duration.ofSeconds(600)
    };

    public enum Status {
        SUCCEEDED("Succeeded"),
        /** The user deleted the request before it was Bound. */
        CANCELED("Canceled"),
        UNKNOWN("Unknown");

        private final String text;

        Status(String text) {
            this.text = text;
        }
    }

    /**
     * An operation that a user requested and that has ended.
     *
     * @param driver the provisioner's name, without its namespace; {@link #UNKNOWN_DRIVER} of a request that never had one
     * @param began when the user requested it
     */
    public record Operation(String driver, String kind, String name, Status status, Instant began) {

        /** As in the metrics of CSI sidecars: a label without a value cannot be selected. */
        public static final String UNKNOWN_DRIVER = "unknown-driver";

        /** No user requested it: not recorded. */
        public static final Operation NONE = new Operation("", "", "", Status.UNKNOWN, Instant.EPOCH);
    }

    private final MeterRegistry meters;
    /** A gauge that only grows: a counter's name would get the suffix {@code _total}, which the proposal does not have. */
    private final Map<Tags, AtomicLong> counts = new ConcurrentHashMap<>();

    public OperationMetrics(MeterRegistry meters) {
        this.meters = meters;
    }

    public void record(Operation operation, Instant now) {
        if (operation.name().isEmpty()) {
            return;
        }
        Tags tags = Tags.of(
                "driver_name", operation.driver(),
                "resource_kind", operation.kind(),
                "operation", operation.name());
        Duration took = Duration.between(operation.began(), now);
        Timer.builder(SECONDS)
                .description("Duration from the user's request to its end")
                .tags(tags)
                .serviceLevelObjectives(BOUNDS)
                .register(meters)
                .record(took.isNegative() ? Duration.ZERO : took);
        counts.computeIfAbsent(
                        tags.and("status", operation.status().text),
                        all -> Objects.requireNonNull(meters.gauge(COUNT, all, new AtomicLong())))
                .incrementAndGet();
    }
}
