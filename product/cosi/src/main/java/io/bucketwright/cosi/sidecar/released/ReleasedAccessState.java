package io.bucketwright.cosi.sidecar.released;

import io.bucketwright.cosi.sidecar.driver.GrantedAccess;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;

/**
 * What only this process knows about a BucketAccess.
 *
 * @param granted the driver's answer, until the Secret contains it and the status says so
 * @param secret that the BucketAccess names
 * @param others what happened to the accounts beside the published one
 */
record ReleasedAccessState(Set<Fact> facts, Optional<GrantedAccess> granted, UserSecret secret, OtherAccounts others) {

    /** What has happened to the account. */
    enum Fact {
        /** This process has recorded the name of the account, and no call can have granted it. */
        RECORDED_HERE,
        /** An account that an earlier call may have left under this name is revoked. */
        FORMER_REVOKED,
        /** This process has recorded that it revokes the account, and no earlier call can have done it. */
        REVOKING_HERE,
        /** That call has failed for certain, which is not recorded yet. */
        FAILED_HERE,
        REVOKED
    }

    static final ReleasedAccessState NONE =
            new ReleasedAccessState(Set.of(), Optional.empty(), new UserSecret.Unknown(), OtherAccounts.NONE);

    ReleasedAccessState {
        facts = Set.copyOf(facts);
    }

    private ReleasedAccessState with(Fact fact, boolean holds) {
        Set<Fact> changed = new HashSet<>(facts);
        if (holds) {
            changed.add(fact);
        } else {
            changed.remove(fact);
        }
        return new ReleasedAccessState(changed, granted, secret, others);
    }

    boolean recordedHere() {
        return facts.contains(Fact.RECORDED_HERE);
    }

    boolean formerRevoked() {
        return facts.contains(Fact.FORMER_REVOKED);
    }

    boolean revokingHere() {
        return facts.contains(Fact.REVOKING_HERE);
    }

    boolean failedHere() {
        return facts.contains(Fact.FAILED_HERE);
    }

    boolean revoked() {
        return facts.contains(Fact.REVOKED);
    }

    ReleasedAccessState afterRecord() {
        return with(Fact.RECORDED_HERE, true);
    }

    /** After the name of another account was recorded. */
    ReleasedAccessState afterNextName() {
        return withoutGrant().with(Fact.RECORDED_HERE, true).with(Fact.FORMER_REVOKED, false);
    }

    ReleasedAccessState beforeGrant(boolean rotation) {
        return with(Fact.RECORDED_HERE, false).withOthers(rotation ? others.withGrant() : others);
    }

    /**
     * After a grant that failed.
     *
     * @param first whether no earlier call can have granted the access
     * @param ambiguous whether the driver may have granted the access
     */
    ReleasedAccessState afterFailedGrant(boolean first, boolean ambiguous) {
        return with(Fact.RECORDED_HERE, first && !ambiguous).with(Fact.FORMER_REVOKED, formerRevoked() && !ambiguous);
    }

    /** What was revoked before is not the new account. */
    ReleasedAccessState withGrant(GrantedAccess value) {
        return withRotationGrant(value).withSecret(new UserSecret.Unknown());
    }

    /** The Secret is as it was: it has the credentials of the replaced account. */
    ReleasedAccessState withRotationGrant(GrantedAccess value) {
        return new ReleasedAccessState(Set.of(), Optional.of(value), secret, others);
    }

    ReleasedAccessState withSecret(UserSecret value) {
        return new ReleasedAccessState(facts, granted, value, others);
    }

    ReleasedAccessState withFormerRevoked() {
        return with(Fact.FORMER_REVOKED, true);
    }

    /** Whether a revocation is recorded by this process, and whether it has failed for certain. */
    ReleasedAccessState withRevocation(boolean recorded, boolean failed) {
        return with(Fact.REVOKING_HERE, recorded).with(Fact.FAILED_HERE, failed);
    }

    ReleasedAccessState afterRevoke() {
        return withoutGrant()
                .with(Fact.FORMER_REVOKED, true)
                .with(Fact.FAILED_HERE, false)
                .with(Fact.REVOKED, true);
    }

    /** This process has recorded that it revokes these other accounts. */
    ReleasedAccessState withRevoking(Set<String> ids) {
        return withOthers(others.withRevoking(ids));
    }

    /** The account of the grant is recorded among the other ones. */
    ReleasedAccessState withoutGrant() {
        return new ReleasedAccessState(facts, Optional.empty(), secret, others);
    }

    ReleasedAccessState withOtherRevoked(String id) {
        return withOthers(others.withRevoked(id));
    }

    private ReleasedAccessState withOthers(OtherAccounts value) {
        return new ReleasedAccessState(facts, granted, secret, value);
    }

    /** Without the credentials. */
    @Override
    public String toString() {
        return "ReleasedAccessState, granted: " + granted.isPresent();
    }

    /**
     * What only this process knows about the accounts of an access beside the published one.
     *
     * @param grants how often the driver was asked to grant access for the rotation in progress
     * @param revoking the accounts whose revocation this process has recorded: no earlier call can have revoked them
     * @param revoked the accounts that are revoked
     */
    record OtherAccounts(int grants, Set<String> revoking, Set<String> revoked) {

        OtherAccounts {
            revoking = Set.copyOf(revoking);
            revoked = Set.copyOf(revoked);
        }

        static final OtherAccounts NONE = new OtherAccounts(0, Set.of(), Set.of());

        OtherAccounts withGrant() {
            return new OtherAccounts(grants + 1, revoking, revoked);
        }

        OtherAccounts withRevoking(Set<String> ids) {
            Set<String> all = new HashSet<>(revoking);
            all.addAll(ids);
            Set<String> rest = new HashSet<>(revoked);
            rest.removeAll(ids);
            return new OtherAccounts(grants, all, rest);
        }

        OtherAccounts withRevoked(String id) {
            Set<String> all = new HashSet<>(revoked);
            all.add(id);
            return new OtherAccounts(grants, revoking, all);
        }
    }
}
