package io.bucketwright.buckets.claims;

import io.bucketwright.api.ObjectBucketNames;
import io.bucketwright.api.ObjectBucketClaim;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.format.DateTimeParseException;
import java.util.Map;

/** What a claim's annotation asks for: new keys as of a time. It is asked once for each value. */
sealed interface Rotation {

    String ANNOTATION = ObjectBucketNames.ROTATE_AT;

    record None() implements Rotation {}

    record Later(Instant at) implements Rotation {}

    /**
     * It is time.
     *
     * @param mark the annotation's text, written down once it is done
     */
    record Due(String mark) implements Rotation {}

    record Unreadable(String text) implements Rotation {}

    static Rotation of(ObjectBucketClaim claim, BucketRecord record, Instant now) {
        Map<String, String> annotations = claim.getMetadata().getAnnotations();
        String text = annotations == null ? "" : annotations.getOrDefault(ANNOTATION, "");
        if (text.isBlank() || text.equals(record.rotatedFor())) {
            return new None();
        }
        Instant at;
        try {
            at = OffsetDateTime.parse(text.strip()).toInstant();
        } catch (DateTimeParseException e) {
            return new Unreadable(text);
        }
        // No principal has three keys: the last overlap must be over before the next rotation.
        Instant free = record.previousKey().isEmpty() ? at : later(at, record.previousKeyUntil());
        return now.isBefore(free) || !record.previousKey().isEmpty() ? new Later(free) : new Due(text);
    }

    private static Instant later(Instant one, Instant other) {
        return one.isAfter(other) ? one : other;
    }
}
