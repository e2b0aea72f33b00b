package io.bucketwright.cosi.controller;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/** How long requests take from a user's word to its end, and how they end. */
final class Operations {

    /** The names of the enhancement proposal; it gives the bounds too. */
    static final String SECONDS = "cosi.operation.total";

    static final String COUNT = "cosi.operation.count";

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

    enum Status {
        SUCCEEDED("Succeeded"),
        /** The user did not wait for it. */
        CANCELED("Canceled"),
        UNKNOWN("Unknown");

        private final String text;

        Status(String text) {
            this.text = text;
        }
    }

    /**
     * Something a user asked for and that came to an end.
     *
     * @param driver the provisioner's name, without its namespace
     * @param began when the user asked; the epoch if nobody knows
     */
    record Operation(String driver, String kind, String name, Status status, Instant began) {

        /** Of something that no user asked for. */
        static final Operation NONE = new Operation("", "", "", Status.UNKNOWN, Instant.EPOCH);

        static Operation create(String driver, String kind, Status status, Instant began) {
            return new Operation(driver, kind, "Create", status, began);
        }

        static Operation delete(String driver, String kind, Instant began) {
            return new Operation(driver, kind, "Delete", Status.SUCCEEDED, began);
        }
    }

    private final MeterRegistry meters;
    /** The proposal's name has no {@code _total}, which a Prometheus counter would get; so it is a gauge that grows. */
    private final Map<Tags, AtomicLong> counts = new ConcurrentHashMap<>();

    Operations(MeterRegistry meters) {
        this.meters = meters;
    }

    void ended(Operation operation, Instant now) {
        if (operation.name().isEmpty()) {
            return;
        }
        Tags tags = Tags.of(
                "driver_name", operation.driver(),
                "resource_kind", operation.kind(),
                "operation", operation.name());
        Duration took = Duration.between(operation.began(), now);
        Timer.builder(SECONDS)
                .description("From a user's request to its end")
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
