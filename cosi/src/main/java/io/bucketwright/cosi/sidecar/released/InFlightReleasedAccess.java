package io.bucketwright.cosi.sidecar.released;

import io.bucketwright.cosi.sidecar.driver.GrantedAccess;
import java.util.Optional;

/**
 * What only this process knows about a BucketAccess.
 *
 * @param recordedHere whether this process has added the finalizer, and has not called the driver yet
 * @param granted the driver's answer, until the Secret contains it and the status says so
 * @param secret that the BucketAccess names
 * @param formerRevoked whether an account that an earlier process may have left is revoked
 * @param revokingHere whether this process has recorded that it revokes the account, and no earlier call can have done it
 * @param failedHere whether that call has failed for certain, which is not recorded yet
 * @param revoked whether the account is revoked
 * @param reported the problem of the last event, as one text
 */
record InFlightReleasedAccess(
        boolean recordedHere,
        Optional<GrantedAccess> granted,
        UserSecret secret,
        boolean formerRevoked,
        boolean revokingHere,
        boolean failedHere,
        boolean revoked,
        String reported) {

    static InFlightReleasedAccess none() {
        return new InFlightReleasedAccess(
                false, Optional.empty(), new UserSecret.Unknown(), false, false, false, false, "");
    }

    InFlightReleasedAccess afterRecord() {
        return new InFlightReleasedAccess(
                true, granted, secret, formerRevoked, revokingHere, failedHere, revoked, reported);
    }

    InFlightReleasedAccess beforeGrant() {
        return new InFlightReleasedAccess(
                false, granted, secret, formerRevoked, revokingHere, failedHere, revoked, reported);
    }

    /**
     * After a grant that failed.
     *
     * @param first whether no earlier call can have granted the access
     * @param ambiguous whether the driver may have granted the access
     */
    InFlightReleasedAccess afterFailedGrant(boolean first, boolean ambiguous) {
        return new InFlightReleasedAccess(
                first && !ambiguous,
                granted,
                secret,
                formerRevoked && !ambiguous,
                revokingHere,
                failedHere,
                revoked,
                reported);
    }

    /** What was revoked before is not the new account. */
    InFlightReleasedAccess withGrant(GrantedAccess value) {
        return new InFlightReleasedAccess(
                false, Optional.of(value), new UserSecret.Unknown(), false, false, false, false, reported);
    }

    InFlightReleasedAccess withSecret(UserSecret value) {
        return new InFlightReleasedAccess(
                recordedHere, granted, value, formerRevoked, revokingHere, failedHere, revoked, reported);
    }

    InFlightReleasedAccess withFormerRevoked() {
        return new InFlightReleasedAccess(
                recordedHere, granted, secret, true, revokingHere, failedHere, revoked, reported);
    }

    /** Whether a revocation is recorded by this process, and whether it has failed for certain. */
    InFlightReleasedAccess withRevocation(boolean recorded, boolean failed) {
        return new InFlightReleasedAccess(
                recordedHere, granted, secret, formerRevoked, recorded, failed, revoked, reported);
    }

    InFlightReleasedAccess afterRevoke() {
        return new InFlightReleasedAccess(
                recordedHere, Optional.empty(), secret, true, revokingHere, false, true, reported);
    }

    InFlightReleasedAccess withReport(String value) {
        return new InFlightReleasedAccess(
                recordedHere, granted, secret, formerRevoked, revokingHere, failedHere, revoked, value);
    }

    /** Without the credentials. */
    @Override
    public String toString() {
        return "InFlightReleasedAccess, granted: " + granted.isPresent();
    }
}
