package io.bucketwright.cosi.sidecar;

import io.bucketwright.api.cosi.BucketAccess;
import io.bucketwright.api.cosi.CosiNames;
import io.bucketwright.cosi.sidecar.driver.CredentialRotation;
import io.bucketwright.runtime.objects.Metadata;
import io.fabric8.kubernetes.api.model.Secret;
import java.time.Instant;
import java.util.Optional;

/** Where a BucketAccess and its Secret have what a rotation is about. */
final class RequestedRotation {

    private RequestedRotation() {}

    /** The rotation that the annotation requests; the Secret records the last one. */
    static CredentialRotation of(BucketAccess access, Secret secret, Instant now) {
        return of(access, Metadata.annotation(secret, CosiNames.ROTATED_AT), now);
    }

    /** The same for an access whose Secret does not exist. */
    static CredentialRotation withoutSecret(BucketAccess access, Instant now) {
        return of(access, "", now);
    }

    private static CredentialRotation of(BucketAccess access, String rotatedAt, Instant now) {
        return CredentialRotation.of(
                new CredentialRotation.Request(
                        Metadata.annotation(access, CosiNames.ROTATE_AT),
                        rotatedAt,
                        access.getSpec().parameters().getOrDefault(CosiNames.ROTATION_OVERLAP, ""),
                        "The parameter " + CosiNames.ROTATION_OVERLAP),
                now);
    }

    /** When the overlap of the last rotation ends; empty if it has ended. */
    static Optional<Instant> overlapEnd(Secret secret) {
        return CredentialRotation.overlapEnd(Metadata.annotation(secret, CosiNames.PREVIOUS_VALID_UNTIL));
    }
}
