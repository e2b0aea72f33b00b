package io.bucketwright.cosi.sidecar.released;

import io.bucketwright.cosi.sidecar.driver.GrantedAccess;
import io.bucketwright.cosi.sidecar.rotation.OtherAccounts;
import java.util.Optional;
import java.util.Set;

/**
 * What only this process knows about a BucketAccess.
 *
 * @param recordedHere whether this process has recorded the name of the account, and no call can have granted it
 * @param granted the driver's answer, until the Secret contains it and the status says so
 * @param secret that the BucketAccess names
 * @param formerRevoked whether an account that an earlier call may have left under this name is revoked
 * @param revokingHere whether this process has recorded that it revokes the account, and no earlier call can have done it
 * @param failedHere whether that call has failed for certain, which is not recorded yet
 * @param revoked whether the account is revoked
 * @param others what happened to the accounts beside the published one
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
        OtherAccounts others,
        String reported) {

    static InFlightReleasedAccess none() {
        return new InFlightReleasedAccess(
                false,
                Optional.empty(),
                new UserSecret.Unknown(),
                false,
                false,
                false,
                false,
                OtherAccounts.none(),
                "");
    }

    InFlightReleasedAccess afterRecord() {
        return new InFlightReleasedAccess(
                true, granted, secret, formerRevoked, revokingHere, failedHere, revoked, others, reported);
    }

    /** After the name of another account was recorded. */
    InFlightReleasedAccess afterNextName() {
        return new InFlightReleasedAccess(
                true, Optional.empty(), secret, false, revokingHere, failedHere, revoked, others, reported);
    }

    InFlightReleasedAccess beforeGrant(boolean rotation) {
        return new InFlightReleasedAccess(
                false,
                granted,
                secret,
                formerRevoked,
                revokingHere,
                failedHere,
                revoked,
                rotation ? others.withGrant() : others,
                reported);
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
                others,
                reported);
    }

    /** What was revoked before is not the new account. */
    InFlightReleasedAccess withGrant(GrantedAccess value) {
        return withRotationGrant(value).withSecret(new UserSecret.Unknown());
    }

    /** The Secret is as it was: it has the credentials of the replaced account. */
    InFlightReleasedAccess withRotationGrant(GrantedAccess value) {
        return new InFlightReleasedAccess(
                false, Optional.of(value), secret, false, false, false, false, others, reported);
    }

    InFlightReleasedAccess withSecret(UserSecret value) {
        return new InFlightReleasedAccess(
                recordedHere, granted, value, formerRevoked, revokingHere, failedHere, revoked, others, reported);
    }

    InFlightReleasedAccess withFormerRevoked() {
        return new InFlightReleasedAccess(
                recordedHere, granted, secret, true, revokingHere, failedHere, revoked, others, reported);
    }

    /** Whether a revocation is recorded by this process, and whether it has failed for certain. */
    InFlightReleasedAccess withRevocation(boolean recorded, boolean failed) {
        return new InFlightReleasedAccess(
                recordedHere, granted, secret, formerRevoked, recorded, failed, revoked, others, reported);
    }

    InFlightReleasedAccess afterRevoke() {
        return new InFlightReleasedAccess(
                recordedHere, Optional.empty(), secret, true, revokingHere, false, true, others, reported);
    }

    /** This process has recorded that it revokes these other accounts. */
    InFlightReleasedAccess withRevoking(Set<String> ids) {
        return withOthers(others.withRevoking(ids));
    }

    /** The account of the grant is recorded among the other ones. */
    InFlightReleasedAccess withoutGrant() {
        return new InFlightReleasedAccess(
                recordedHere,
                Optional.empty(),
                secret,
                formerRevoked,
                revokingHere,
                failedHere,
                revoked,
                others,
                reported);
    }

    InFlightReleasedAccess withOtherRevoked(String id) {
        return withOthers(others.withRevoked(id));
    }

    private InFlightReleasedAccess withOthers(OtherAccounts value) {
        return new InFlightReleasedAccess(
                recordedHere, granted, secret, formerRevoked, revokingHere, failedHere, revoked, value, reported);
    }

    InFlightReleasedAccess withReport(String value) {
        return new InFlightReleasedAccess(
                recordedHere, granted, secret, formerRevoked, revokingHere, failedHere, revoked, others, value);
    }

    /** Without the credentials. */
    @Override
    public String toString() {
        return "InFlightReleasedAccess, granted: " + granted.isPresent();
    }
}
