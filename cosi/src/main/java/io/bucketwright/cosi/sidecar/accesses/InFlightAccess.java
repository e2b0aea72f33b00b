package io.bucketwright.cosi.sidecar.accesses;

import java.util.Optional;

/**
 * What the sidecar knows about a BucketAccess and has not written yet. Losing it repeats a call.
 *
 * @param credentials to be written to the Secret
 * @param revoked whether the driver has revoked the access
 * @param secretIsMissing whether a read showed that the Secret does not exist; the cache does not show a Secret without
 *     its label either
 */
public record InFlightAccess(Optional<IssuedCredentials> credentials, boolean revoked, boolean secretIsMissing) {

    public static InFlightAccess none() {
        return new InFlightAccess(Optional.empty(), false, false);
    }

    public InFlightAccess withCredentials(IssuedCredentials issued) {
        return new InFlightAccess(Optional.of(issued), revoked, secretIsMissing);
    }

    /** The credentials are in the Secret. */
    public InFlightAccess withoutCredentials() {
        return new InFlightAccess(Optional.empty(), revoked, secretIsMissing);
    }

    public InFlightAccess withRevoked() {
        return new InFlightAccess(Optional.empty(), true, secretIsMissing);
    }

    public InFlightAccess withMissingSecret() {
        return new InFlightAccess(credentials, revoked, true);
    }
}
