package io.bucketwright.cosi.sidecar;

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
record SidecarAccessState(Optional<IssuedCredentials> credentials, Set<String> revoked, boolean secretIsMissing) {

    SidecarAccessState {
        revoked = Set.copyOf(revoked);
    }

    static final SidecarAccessState NONE = new SidecarAccessState(Optional.empty(), Set.of(), false);

    SidecarAccessState withCredentials(IssuedCredentials issued) {
        return new SidecarAccessState(Optional.of(issued), beforeGrant(issued.account()).revoked, secretIsMissing);
    }

    /** The account may exist again after the call, even if the call fails. */
    SidecarAccessState beforeGrant(String account) {
        Set<String> rest = new HashSet<>(revoked);
        rest.remove(account);
        return new SidecarAccessState(credentials, rest, secretIsMissing);
    }

    /** The credentials are in the Secret. */
    SidecarAccessState withoutCredentials() {
        return new SidecarAccessState(Optional.empty(), revoked, false);
    }

    SidecarAccessState withRevoked(String account) {
        Set<String> all = new HashSet<>(revoked);
        all.add(account);
        return new SidecarAccessState(Optional.empty(), all, secretIsMissing);
    }

    SidecarAccessState withMissingSecret() {
        return new SidecarAccessState(credentials, revoked, true);
    }
}
