package io.bucketwright.cosi.sidecar.driver;

import io.bucketwright.api.cosi.CosiNames;
import io.bucketwright.api.cosi.status.ProvisionerReason;
import io.bucketwright.runtime.controller.Problem;
import io.bucketwright.runtime.metrics.CredentialAge;
import io.bucketwright.runtime.objects.SafeText;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The rotation that the annotation of a BucketAccess requests. */
public sealed interface CredentialRotation {

    Duration MAX_DELAY = Duration.ofDays(1);
    Duration DEFAULT_OVERLAP = Duration.ofHours(24);
    Pattern OVERLAP = Pattern.compile("([0-9]{1,6})([hms])");

    record None() implements CredentialRotation {}

    record Later(Duration delay) implements CredentialRotation {}

    /** The previous credentials stay valid for the overlap. */
    record Due(String at, Duration overlap) implements CredentialRotation {}

    record Invalid(Problem problem) implements CredentialRotation {}

    /** As the metric of credentials counts it. */
    default CredentialAge.Rotation state() {
        return switch (this) {
            case None() -> CredentialAge.Rotation.NONE;
            case Later _ -> CredentialAge.Rotation.SCHEDULED;
            case Due _ -> CredentialAge.Rotation.OVERDUE;
            case Invalid _ -> CredentialAge.Rotation.INVALID;
        };
    }

    /**
     * What objects say about a rotation.
     *
     * @param at the requested time as written, empty if none is requested
     * @param fulfilled the last request that was fulfilled
     * @param overlap as the class has it, empty for the default
     * @param overlapSetting where the class has it, the begin of a sentence
     */
    record Request(String at, String fulfilled, String overlap, String overlapSetting) {}

    static CredentialRotation of(Request request, Instant now) {
        if (request.at().isEmpty() || request.at().equals(request.fulfilled())) {
            return new None();
        }
        try {
            Instant at = OffsetDateTime.parse(request.at()).toInstant();
            return at.isAfter(now) ? new Later(limited(Duration.between(now, at))) : due(request);
        } catch (DateTimeException e) {
            return new Invalid(Problem.requiresChange(
                    ProvisionerReason.INVALID_ROTATE_AT.text(),
                    "The annotation " + CosiNames.ROTATE_AT + " must be a time such as 2027-01-31T12:00:00Z, not "
                            + SafeText.quoted(request.at()) + ". The credentials are not rotated."));
        }
    }

    private static CredentialRotation due(Request request) {
        return overlap(request.overlap())
                .<CredentialRotation>map(overlap -> new Due(request.at(), overlap))
                .orElseGet(() -> new Invalid(Problem.requiresChange(
                        ProvisionerReason.INVALID_ROTATE_AT.text(),
                        request.overlapSetting()
                                + " of the BucketAccessClass must be a duration such as 24h, 30m, 90s or 0s, not "
                                + SafeText.quoted(request.overlap()) + ". The credentials are not rotated.")));
    }

    /** The overlap that a class requests; the default for an empty text, and empty if it is not a duration. */
    static Optional<Duration> overlap(String text) {
        if (text.isEmpty()) {
            return Optional.of(DEFAULT_OVERLAP);
        }
        Matcher matcher = OVERLAP.matcher(text);
        if (!matcher.matches()) {
            return Optional.empty();
        }
        long number = Long.parseLong(matcher.group(1));
        return Optional.of(
                switch (matcher.group(2)) {
                    case "h" -> Duration.ofHours(number);
                    case "m" -> Duration.ofMinutes(number);
                    default -> Duration.ofSeconds(number);
                });
    }

    /** When an overlap ends; empty if there is none. A time that somebody garbled has passed. */
    static Optional<Instant> overlapEnd(String text) {
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
