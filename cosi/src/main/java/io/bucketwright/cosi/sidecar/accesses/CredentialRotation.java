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
import org.jspecify.annotations.Nullable;

/** The rotation that the annotation of a BucketAccess requests. */
sealed interface CredentialRotation {

    Duration MAX_DELAY = Duration.ofDays(1);

    record None() implements CredentialRotation {}

    record Later(Duration delay) implements CredentialRotation {}

    record Due(String at) implements CredentialRotation {}

    record Invalid(Problem problem) implements CredentialRotation {}

    static CredentialRotation of(BucketAccess access, @Nullable Secret secret, Instant now) {
        String requested = Metadata.annotation(access, CosiNames.ROTATE_AT);
        String fulfilled = secret == null ? "" : Metadata.annotation(secret, CosiNames.ROTATED_AT);
        if (requested.isEmpty() || requested.equals(fulfilled)) {
            return new None();
        }
        try {
            Instant at = OffsetDateTime.parse(requested).toInstant();
            return at.isAfter(now) ? new Later(limited(Duration.between(now, at))) : new Due(requested);
        } catch (DateTimeException e) {
            return new Invalid(Problem.requiresChange(
                    ProvisionerReason.INVALID_ROTATE_AT.text(),
                    "The annotation " + CosiNames.ROTATE_AT + " must be a time such as 2027-01-31T12:00:00Z, not "
                            + SafeText.quoted(requested) + ". The credentials are not rotated."));
        }
    }

    /** The annotation can name any year; a timer that fires early only checks again. */
    private static Duration limited(Duration delay) {
        return delay.compareTo(MAX_DELAY) > 0 ? MAX_DELAY : delay;
    }
}
