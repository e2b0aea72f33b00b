package io.bucketwright.cosi.sidecar;

import io.bucketwright.cosi.sidecar.driver.DriverPreconditions;
import io.bucketwright.runtime.Moment;
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
 * @param refusals the failed calls of RevokeBucketAccess
 */
record SidecarAccessState(
        Optional<IssuedCredentials> credentials, Set<String> revoked, boolean secretIsMissing, Refusals refusals) {

    /**
     * Failed calls in a row. A store that is down for some minutes fails each call, whatever the account is.
     *
     * @param since the first one
     * @param lasting whether they did not end within the grace period
     */
    record Refusals(Optional<Moment> since, boolean lasting) {

        static final Refusals NONE = new Refusals(Optional.empty(), false);

        Refusals with(Moment now) {
            Moment first = since.orElse(now);
            return new Refusals(Optional.of(first), now.since(first).compareTo(DriverPreconditions.GRACE) >= 0);
        }
    }

    SidecarAccessState {
        revoked = Set.copyOf(revoked);
    }

    static final SidecarAccessState NONE = new SidecarAccessState(Optional.empty(), Set.of(), false, Refusals.NONE);

    SidecarAccessState withCredentials(IssuedCredentials issued) {
        return new SidecarAccessState(
                Optional.of(issued), beforeGrant(issued.account()).revoked, secretIsMissing, Refusals.NONE);
    }

    /** The account may exist again after the call, even if the call fails. */
    SidecarAccessState beforeGrant(String account) {
        Set<String> rest = new HashSet<>(revoked);
        rest.remove(account);
        return new SidecarAccessState(credentials, rest, secretIsMissing, refusals);
    }

    /** The credentials are in the Secret. */
    SidecarAccessState withoutCredentials() {
        return new SidecarAccessState(Optional.empty(), revoked, false, refusals);
    }

    SidecarAccessState withRevoked(String account) {
        Set<String> all = new HashSet<>(revoked);
        all.add(account);
        return new SidecarAccessState(Optional.empty(), all, secretIsMissing, Refusals.NONE);
    }

    SidecarAccessState withMissingSecret() {
        return new SidecarAccessState(credentials, revoked, true, refusals);
    }

    SidecarAccessState withRefusal(Moment now) {
        return new SidecarAccessState(credentials, revoked, secretIsMissing, refusals.with(now));
    }
}
