package io.bucketwright.app.doctor.checks;

import io.bucketwright.runtime.objects.DurationText;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.format.DateTimeParseException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** How long ago something happened, by the times in the metadata of objects. */
final class ObjectTimes {

    private ObjectTimes() {}

    /** Empty if there is no such time. */
    static Optional<Duration> since(@Nullable String timestamp, Instant now) {
        if (timestamp == null) {
            return Optional.empty();
        }
        try {
            return Optional.of(Duration.between(OffsetDateTime.parse(timestamp).toInstant(), now));
        } catch (DateTimeParseException e) {
            return Optional.empty();
        }
    }

    static boolean isOlderThan(Duration limit, @Nullable String timestamp, Instant now) {
        return since(timestamp, now).filter(age -> age.compareTo(limit) >= 0).isPresent();
    }

    /** In whole seconds, without the smaller units of long times. */
    static String text(Duration duration) {
        Duration whole = Duration.ofSeconds(Math.max(0, duration.toSeconds()));
        if (whole.toHours() > 0) {
            return DurationText.of(Duration.ofMinutes(whole.toMinutes()));
        }
        return DurationText.of(whole);
    }
}
