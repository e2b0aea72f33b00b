package io.bucketwright.cosi.sidecar.accesses;

import java.util.HashSet;
import java.util.Optional;
import java.util.Set;

/**
 * What the sidecar knows about a BucketAccess and has not written yet. Losing it repeats a call.
 *
 * @param credentials to be written to the Secret
 * @param revoked the accounts that the driver has revoked
 * @param secretIsMissing whether a read showed that the Secret does not exist; the cache does not show a Secret without
 *     its label either
 */
record InFlightAccess(Optional<IssuedCredentials> credentials, Set<String> revoked, boolean secretIsMissing) {

    InFlightAccess {
        revoked = Set.copyOf(revoked);
    }

    static InFlightAccess none() {
        return new InFlightAccess(Optional.empty(), Set.of(), false);
    }

    InFlightAccess withCredentials(IssuedCredentials issued) {
        return new InFlightAccess(Optional.of(issued), beforeGrant(issued.account()).revoked, secretIsMissing);
    }

    /** The account may exist again after the call, even if the call fails. */
    InFlightAccess beforeGrant(String account) {
        Set<String> rest = new HashSet<>(revoked);
        rest.remove(account);
        return new InFlightAccess(credentials, rest, secretIsMissing);
    }

    /** The credentials are in the Secret. */
    InFlightAccess withoutCredentials() {
        return new InFlightAccess(Optional.empty(), revoked, false);
    }

    InFlightAccess withRevoked(String account) {
        Set<String> all = new HashSet<>(revoked);
        all.add(account);
        return new InFlightAccess(Optional.empty(), all, secretIsMissing);
    }

    InFlightAccess withMissingSecret() {
        return new InFlightAccess(credentials, revoked, true);
    }
}
