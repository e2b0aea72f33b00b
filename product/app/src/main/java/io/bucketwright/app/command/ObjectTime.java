package io.bucketwright.app.command;

import io.fabric8.kubernetes.api.model.Event;
import io.fabric8.kubernetes.api.model.EventSeries;
import io.fabric8.kubernetes.api.model.MicroTime;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.format.DateTimeParseException;
import java.util.Comparator;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Times in Kubernetes objects. */
public final class ObjectTime {
    private ObjectTime() {}

    /** Empty if there is no such time. */
    public static Optional<Instant> parse(@Nullable String timestamp) {
        if (timestamp == null || timestamp.isBlank()) {
            return Optional.empty();
        }
        try {
            return Optional.of(OffsetDateTime.parse(timestamp).toInstant());
        } catch (DateTimeParseException e) {
            return Optional.empty();
        }
    }

    /** When an event last occurred; API versions and clients use different fields. */
    public static Instant of(Event event) {
        return Stream.of(
                        Optional.ofNullable(event.getLastTimestamp()),
                        Optional.ofNullable(event.getSeries())
                                .map(EventSeries::getLastObservedTime)
                                .map(MicroTime::getTime),
                        Optional.ofNullable(event.getEventTime()).map(MicroTime::getTime),
                        Optional.ofNullable(event.getMetadata().getCreationTimestamp()))
                .flatMap(time -> time.flatMap(ObjectTime::parse).stream())
                .max(Comparator.naturalOrder())
                .orElse(Instant.EPOCH);
    }
}
