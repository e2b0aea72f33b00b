package io.bucketwright.cosi.sidecar.accesses;

import io.bucketwright.cosi.sidecar.driver.Trouble;

import io.bucketwright.cosi.sidecar.driver.Marks;

import io.bucketwright.cosi.sidecar.driver.DriverMethod;

import io.bucketwright.api.cosi.ProvisionerReason;
import io.bucketwright.api.cosi.BucketAccess;
import io.bucketwright.api.cosi.CosiNames;
import io.bucketwright.store.errors.InputText;
import io.fabric8.kubernetes.api.model.Secret;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.Optional;

/** Whether new credentials were asked for. */
public sealed interface CredentialRotation {

    record None() implements CredentialRotation {}

    record Later(Duration until) implements CredentialRotation {}

    record Due(String at) implements CredentialRotation {}

    record Wrong(Trouble trouble) implements CredentialRotation {}

    static CredentialRotation of(BucketAccess access, Optional<Secret> secret, Instant now) {
        String asked = Marks.annotation(access, CosiNames.ROTATE_AT);
        String done =
                secret.map(it -> Marks.annotation(it, CosiNames.ROTATED_AT)).orElse("");
        if (asked.isEmpty() || asked.equals(done)) {
            return new None();
        }
        try {
            Instant at = OffsetDateTime.parse(asked).toInstant();
            return at.isAfter(now) ? new Later(atMostADay(Duration.between(now, at))) : new Due(asked);
        } catch (DateTimeException e) {
            return new Wrong(Trouble.untilChange(
                    DriverMethod.GRANT_ACCESS,
                    ProvisionerReason.INVALID_ROTATE_AT,
                    "The annotation " + CosiNames.ROTATE_AT + " must be a time such as 2027-01-31T12:00:00Z, not "
                            + InputText.quote(asked) + "; the credentials stay as they are."));
        }
    }

    /** People write any year, and no timer counts nanoseconds that far; the next look finds it later still. */
    private static Duration atMostADay(Duration until) {
        Duration day = Duration.ofDays(1);
        return until.compareTo(day) > 0 ? day : until;
    }
}
