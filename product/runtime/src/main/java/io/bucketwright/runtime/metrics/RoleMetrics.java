package io.bucketwright.runtime.metrics;

import io.bucketwright.runtime.Leadership;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The metrics that every role has, with the label {@code role}. Only the process that leads exports what it counts in caches:
 * the sum over all processes is then right.
 */
public final class RoleMetrics {

    private static final String ROLE = "role";
    private static final String KIND = "kind";

    /** More rows than all phases and reasons of one kind; who may write a status must not fill the memory. */
    private static final int MAX_STATES = 100;

    private static final StatusLabels OTHERS = new StatusLabels("Other", "Other");

    /** The API server records creation times in whole seconds, so finer bounds would show nothing. */
    private static final Duration[] TIME_TO_BOUND = {
        Duration.ofSeconds(1),
        Duration.ofSeconds(2),
        Duration.ofSeconds(5),
        Duration.ofSeconds(10),
        Duration.ofSeconds(30),
        Duration.ofMinutes(1),
        Duration.ofMinutes(5),
        Duration.ofMinutes(15)
    };

    private final String role;
    private final MeterRegistry meters;
    private final Leadership leadership;
    private final ScrapedGauges scraped;
    private final Map<String, Timer> timers = new ConcurrentHashMap<>();

    public RoleMetrics(String role, MeterRegistry meters, Leadership leadership, ScrapedGauges scraped) {
        this.role = role;
        this.meters = meters;
        this.leadership = leadership;
        this.scraped = scraped;
    }

    /**
     * Counts objects by phase and reason whenever the metrics are read.
     *
     * @param states of all objects that this role serves, read from a cache
     */
    public void claims(String kind, Supplier<Stream<StatusLabels>> states) {
        gauges("bucketwright.claims", "", "Claims and volumes that the role serves, by phase and reason", () -> {
            Map<Tags, Double> rows = new HashMap<>();
            Set<StatusLabels> known = new HashSet<>();
            states.get().forEach(state -> {
                StatusLabels counted = known.size() < MAX_STATES || known.contains(state) ? state : OTHERS;
                known.add(counted);
                rows.merge(Tags.of(KIND, kind, "phase", counted.phase(), "reason", counted.reason()), 1.0, Double::sum);
            });
            return rows;
        });
    }

    /**
     * Gauges that are computed whenever the metrics are read, while this process leads.
     *
     * @param unit empty if they have none
     */
    public void gauges(String name, String unit, String description, Supplier<Map<Tags, Double>> rows) {
        Tags own = Tags.of(ROLE, role);
        scraped.add(name, unit, description, () -> {
            Map<Tags, Double> all = new HashMap<>();
            if (leadership.held()) {
                rows.get().forEach((tags, value) -> all.put(own.and(tags), value));
            }
            return all;
        });
    }

    /**
     * Counts credentials by the rotation that is requested for them, and finds the oldest, whenever the metrics are read.
     *
     * @param credentials of all objects that this role serves, read from a cache
     */
    public void credentials(Supplier<Stream<CredentialAge>> credentials, Supplier<Instant> now) {
        gauges(
                "bucketwright.credentials",
                "",
                "Issued credentials, by the rotation that is requested for them: none, scheduled, overdue or invalid",
                () -> {
                    Map<Tags, Double> rows = new HashMap<>();
                    for (CredentialAge.Rotation rotation : CredentialAge.Rotation.values()) {
                        rows.put(Tags.of("rotation", rotation.text()), 0.0);
                    }
                    credentials
                            .get()
                            .forEach(age -> rows.merge(
                                    Tags.of("rotation", age.rotation().text()), 1.0, Double::sum));
                    return rows;
                });
        gauges(
                "bucketwright.credentials.oldest",
                "seconds",
                "Age of the oldest credentials: the time since they were issued or rotated",
                () -> Map.of(
                        Tags.empty(),
                        credentials
                                .get()
                                .map(CredentialAge::issued)
                                .min(Instant::compareTo)
                                .map(oldest ->
                                        Duration.between(oldest, now.get()).toMillis() / 1e3)
                                .orElse(0.0)));
    }

    /** Counts grants that may work although nobody has their credentials, whenever the metrics are read. */
    public void unconfirmedGrants(String kind, Supplier<Long> count) {
        gauges(
                "bucketwright.grants.unconfirmed",
                "",
                "Credentials that a store or driver may have issued or kept without confirming it",
                () -> Map.of(Tags.of(KIND, kind), count.get().doubleValue()));
    }

    /** Records that this process has bound the object for the first time. */
    public void bound(String kind, HasMetadata object, Instant now) {
        @Nullable String created = object.getMetadata().getCreationTimestamp();
        if (created == null || created.isEmpty()) {
            return;
        }
        try {
            Duration took = Duration.between(Instant.parse(created), now);
            timers.computeIfAbsent(kind, this::timer).record(took.isNegative() ? Duration.ZERO : took);
        } catch (DateTimeException e) {
            // Not a time of the API server: nothing to measure.
        }
    }

    /** A counter of this role. */
    public Counter counter(String name, String description, Tags tags) {
        return Counter.builder(name)
                .tags(Tags.of(ROLE, role).and(tags))
                .description(description)
                .register(meters);
    }

    private Timer timer(String kind) {
        return Timer.builder("bucketwright.time.to.bound")
                .tags(ROLE, role, KIND, kind)
                .description("Time from the creation of an object until this process has bound or provisioned it")
                .serviceLevelObjectives(TIME_TO_BOUND)
                .register(meters);
    }
}
