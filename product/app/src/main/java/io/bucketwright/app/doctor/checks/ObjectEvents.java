package io.bucketwright.app.doctor.checks;

import io.bucketwright.app.doctor.observation.ClusterObservation;
import io.fabric8.kubernetes.api.model.Event;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.MicroTime;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.format.DateTimeParseException;
import java.util.Comparator;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The events of released objects, which report their reasons: these kinds have no conditions. */
record ObjectEvents(ClusterObservation observed) {

    /** Reason and message of the newest event of an object; empty if there is none, or if it may not be read. */
    Optional<String> newest(HasMetadata object) {
        String uid = object.getMetadata().getUid();
        return observed.released().events().stream()
                .filter(event -> Objects.equals(event.getInvolvedObject().getUid(), uid))
                .max(Comparator.comparing(ObjectEvents::time))
                .map(event -> event.getReason() + ": " + event.getMessage());
    }

    /** API versions and clients use different fields. */
    private static Instant time(Event event) {
        @Nullable
        String series =
                event.getSeries() == null ? null : text(event.getSeries().getLastObservedTime());
        return Stream.of(
                        Optional.ofNullable(event.getLastTimestamp()),
                        Optional.ofNullable(series),
                        Optional.ofNullable(text(event.getEventTime())),
                        Optional.ofNullable(event.getMetadata().getCreationTimestamp()))
                .flatMap(Optional::stream)
                .flatMap(text -> parsed(text).stream())
                .max(Comparator.naturalOrder())
                .orElse(Instant.EPOCH);
    }

    private static @Nullable String text(@Nullable MicroTime time) {
        return time == null ? null : time.getTime();
    }

    private static Optional<Instant> parsed(String text) {
        try {
            return Optional.of(OffsetDateTime.parse(text).toInstant());
        } catch (DateTimeParseException e) {
            return Optional.empty();
        }
    }
}
