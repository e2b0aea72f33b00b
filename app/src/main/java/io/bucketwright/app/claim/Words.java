package io.bucketwright.app.claim;

import io.bucketwright.api.BucketStatus;
import io.bucketwright.api.ObjectBucketClaim;
import io.fabric8.kubernetes.api.model.Condition;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.format.DateTimeParseException;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** How what stands in objects is told to people. */
final class Words {

    static final String NOTHING = "-";

    private static final String READY = "Ready";

    private Words() {}

    /** The two largest units that matter, as kubectl shows ages: 45s, 12m, 5h, 3d. */
    static String duration(Duration duration) {
        Duration positive = duration.isNegative() ? Duration.ZERO : duration;
        if (positive.toMinutes() < 2) {
            return positive.toSeconds() + "s";
        }
        if (positive.toHours() < 2) {
            return positive.toMinutes() + "m";
        }
        return positive.toDays() < 2 ? positive.toHours() + "h" : positive.toDays() + "d";
    }

    static String age(@Nullable String timestamp, Instant now) {
        return instant(timestamp)
                .map(since -> duration(Duration.between(since, now)))
                .orElse(NOTHING);
    }

    static Optional<Instant> instant(@Nullable String timestamp) {
        if (timestamp == null || timestamp.isBlank()) {
            return Optional.empty();
        }
        try {
            return Optional.of(OffsetDateTime.parse(timestamp).toInstant());
        } catch (DateTimeParseException e) {
            return Optional.empty();
        }
    }

    static List<Condition> conditions(@Nullable BucketStatus status) {
        return Optional.ofNullable(status).map(BucketStatus::conditions).orElse(List.of());
    }

    static Optional<Condition> ready(ObjectBucketClaim claim) {
        return Optional.ofNullable(claim.getStatus()).flatMap(status -> status.condition(READY));
    }

    /** What the claim says about itself, as a whole sentence. */
    static String state(ObjectBucketClaim claim) {
        return ready(claim)
                .map(condition -> condition.getReason() + ": " + condition.getMessage())
                .orElse("The claim is " + claim.phase() + ", and nobody has said why.");
    }

    static boolean isGoing(HasMetadata object) {
        return object.getMetadata().getDeletionTimestamp() != null;
    }

    /**
     * A text that others wrote, on one line and without anything that moves a terminal's cursor: a tenant's object is
     * read by an administrator.
     */
    static String plain(@Nullable String text) {
        return text == null ? "" : text.replaceAll("[\\p{Cntrl}\\p{Cf}]+", " ").strip();
    }
}
