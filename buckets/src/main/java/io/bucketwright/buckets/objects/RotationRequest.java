package io.bucketwright.buckets.objects;

import io.bucketwright.api.ObjectBucketClaim;
import io.bucketwright.api.ObjectBucketNames;
import io.bucketwright.runtime.objects.Metadata;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.format.DateTimeParseException;

/** The credential rotation that a claim requests with an annotation. Each value of the annotation is acted on once. */
public sealed interface RotationRequest {

    String ANNOTATION = ObjectBucketNames.ROTATE_AT;

    record None() implements RotationRequest {}

    record Scheduled(Instant at) implements RotationRequest {}

    /**
     * The time has come.
     *
     * @param annotation its value, recorded when the rotation is complete
     */
    record Due(String annotation) implements RotationRequest {}

    record Invalid(String annotation) implements RotationRequest {}

    static RotationRequest of(ObjectBucketClaim claim, RecordedBucket bucket, Instant now) {
        String text = Metadata.annotation(claim, ANNOTATION);
        if (text.isBlank() || text.equals(bucket.rotatedFor())) {
            return new None();
        }
        Instant at;
        try {
            at = OffsetDateTime.parse(text.strip()).toInstant();
        } catch (DateTimeParseException e) {
            return new Invalid(text);
        }
        if (bucket.previousKey().isEmpty()) {
            return now.isBefore(at) ? new Scheduled(at) : new Due(text);
        }
        // A principal has at most two keys: the previous one must be deleted before the next rotation.
        Instant free = bucket.previousKeyUntil();
        return new Scheduled(at.isAfter(free) ? at : free);
    }
}
