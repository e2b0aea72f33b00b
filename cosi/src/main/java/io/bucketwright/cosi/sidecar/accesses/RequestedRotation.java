package io.bucketwright.cosi.sidecar.accesses;

import io.bucketwright.api.cosi.BucketAccess;
import io.bucketwright.api.cosi.CosiNames;
import io.bucketwright.cosi.sidecar.rotation.CredentialRotation;
import io.bucketwright.runtime.objects.Metadata;
import io.fabric8.kubernetes.api.model.Secret;
import java.time.Instant;
import java.util.Optional;

/** Where a BucketAccess and its Secret have what a rotation is about. */
final class RequestedRotation {

    private RequestedRotation() {}

    /** The rotation that the annotation requests; the Secret records the last one. */
    static CredentialRotation of(BucketAccess access, Optional<Secret> secret, Instant now) {
        return CredentialRotation.of(
                new CredentialRotation.Request(
                        Metadata.annotation(access, CosiNames.ROTATE_AT),
                        secret.map(found -> Metadata.annotation(found, CosiNames.ROTATED_AT))
                                .orElse(""),
                        access.getSpec().parameters().getOrDefault(CosiNames.ROTATION_OVERLAP, ""),
                        "The parameter " + CosiNames.ROTATION_OVERLAP),
                now);
    }

    /** When the overlap of the last rotation ends; empty if it has ended. */
    static Optional<Instant> overlapEnd(Secret secret) {
        return CredentialRotation.overlapEnd(Metadata.annotation(secret, CosiNames.PREVIOUS_VALID_UNTIL));
    }
}
