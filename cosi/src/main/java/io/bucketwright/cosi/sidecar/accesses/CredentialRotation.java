package io.bucketwright.cosi.sidecar.accesses;

import io.bucketwright.api.cosi.BucketAccess;
import io.bucketwright.api.cosi.CosiNames;
import io.bucketwright.api.cosi.status.ProvisionerReason;
import io.bucketwright.runtime.controller.Problem;
import io.bucketwright.runtime.objects.Metadata;
import io.bucketwright.runtime.objects.SafeText;
import io.fabric8.kubernetes.api.model.Secret;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The rotation that the annotation of a BucketAccess requests. */
sealed interface CredentialRotation {

    Duration MAX_DELAY = Duration.ofDays(1);
    String DEFAULT_OVERLAP = "24h";
    Pattern OVERLAP = Pattern.compile("([0-9]{1,6})([hms])");

    record None() implements CredentialRotation {}

    record Later(Duration delay) implements CredentialRotation {}

    /** The previous credentials stay valid for the overlap. */
    record Due(String at, Duration overlap) implements CredentialRotation {}

    record Invalid(Problem problem) implements CredentialRotation {}

    static CredentialRotation of(BucketAccess access, @Nullable Secret secret, Instant now) {
        String requested = Metadata.annotation(access, CosiNames.ROTATE_AT);
        String fulfilled = secret == null ? "" : Metadata.annotation(secret, CosiNames.ROTATED_AT);
        if (requested.isEmpty() || requested.equals(fulfilled)) {
            return new None();
        }
        try {
            Instant at = OffsetDateTime.parse(requested).toInstant();
            return at.isAfter(now) ? new Later(limited(Duration.between(now, at))) : due(access, requested);
        } catch (DateTimeException e) {
            return new Invalid(Problem.requiresChange(
                    ProvisionerReason.INVALID_ROTATE_AT.text(),
                    "The annotation " + CosiNames.ROTATE_AT + " must be a time such as 2027-01-31T12:00:00Z, not "
                            + SafeText.quoted(requested) + ". The credentials are not rotated."));
        }
    }

    private static CredentialRotation due(BucketAccess access, String at) {
        String text = access.getSpec().parameters().getOrDefault(CosiNames.ROTATION_OVERLAP, DEFAULT_OVERLAP);
        Matcher matcher = OVERLAP.matcher(text);
        if (!matcher.matches()) {
            return new Invalid(Problem.requiresChange(
                    ProvisionerReason.INVALID_ROTATE_AT.text(),
                    "The parameter " + CosiNames.ROTATION_OVERLAP
                            + " of the BucketAccessClass must be a duration such as" + " 24h, 30m, 90s or 0s, not "
                            + SafeText.quoted(text) + ". The credentials are not rotated."));
        }
        long number = Long.parseLong(matcher.group(1));
        return new Due(
                at,
                switch (matcher.group(2)) {
                    case "h" -> Duration.ofHours(number);
                    case "m" -> Duration.ofMinutes(number);
                    default -> Duration.ofSeconds(number);
                });
    }

    /** When the overlap of the last rotation ends; empty if it has ended. A time that somebody garbled has passed. */
    static Optional<Instant> overlapEnd(Secret secret) {
        String text = Metadata.annotation(secret, CosiNames.PREVIOUS_VALID_UNTIL);
        if (text.isEmpty()) {
            return Optional.empty();
        }
        try {
            return Optional.of(Instant.parse(text));
        } catch (DateTimeException e) {
            return Optional.of(Instant.EPOCH);
        }
    }

    /** The annotation can name any year; a timer that fires early only checks again. */
    static Duration limited(Duration delay) {
        return delay.compareTo(MAX_DELAY) > 0 ? MAX_DELAY : delay;
    }
}
