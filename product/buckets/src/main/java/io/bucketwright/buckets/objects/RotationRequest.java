package io.bucketwright.buckets.objects;

import io.bucketwright.api.ObjectBucketClaim;
import io.bucketwright.api.ObjectBucketNames;
import io.bucketwright.runtime.objects.Metadata;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.format.DateTimeParseException;

/**
 * The credential rotation that a claim requests with an annotation, or that is necessary because the administrator's key
 * that the credentials are made of has been replaced. Each value of the annotation is acted on once.
 */
public sealed interface RotationRequest {

    String ANNOTATION = ObjectBucketNames.ROTATE_AT;

    record None() implements RotationRequest {}

    record Scheduled(Instant at) implements RotationRequest {}

    /**
     * The time has come.
     *
     * @param annotation its value, recorded when the rotation is complete; empty if no annotation requested it
     */
    record Due(String annotation) implements RotationRequest {}

    /** The administrator's key has been replaced, and both keys of the principal are in use until that time. */
    record Outdated(Instant until) implements RotationRequest {}

    record Invalid(String annotation) implements RotationRequest {}

    /**
     * The request of a claim.
     *
     * @param issuer the administrator's key that credentials are made of now; empty if they are not, or if it is not known
     */
    static RotationRequest of(ObjectBucketClaim claim, RecordedBucket bucket, String issuer, Instant now) {
        RotationRequest requested = of(claim, bucket, now);
        boolean outdated = bucket.complete()
                && !issuer.isEmpty()
                && !issuer.equals(bucket.grants().issuer());
        if (!outdated || requested instanceof Due) {
            return requested;
        }
        return bucket.grants().ending().isEmpty()
                ? new Due("")
                : new Outdated(bucket.grants().end());
    }

    private static RotationRequest of(ObjectBucketClaim claim, RecordedBucket bucket, Instant now) {
        String text = Metadata.annotation(claim, ANNOTATION);
        if (text.isBlank() || text.equals(bucket.grants().rotatedFor())) {
            return new None();
        }
        Instant at;
        try {
            at = OffsetDateTime.parse(text.strip()).toInstant();
        } catch (DateTimeParseException e) {
            return new Invalid(text);
        }
        if (bucket.grants().ending().isEmpty()) {
            return now.isBefore(at) ? new Scheduled(at) : new Due(text);
        }
        // A principal has at most two keys: the previous one must be deleted before the next rotation.
        Instant free = bucket.grants().end();
        return new Scheduled(at.isAfter(free) ? at : free);
    }
}
