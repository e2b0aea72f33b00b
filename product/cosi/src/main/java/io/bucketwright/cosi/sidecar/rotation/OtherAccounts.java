package io.bucketwright.cosi.sidecar.rotation;

import java.util.HashSet;
import java.util.Set;

/**
 * What only this process knows about the accounts of an access beside the published one.
 *
 * @param grants how often the driver was asked to grant access for the rotation in progress
 * @param revoking the accounts whose revocation this process has recorded: no earlier call can have revoked them
 * @param revoked the accounts that are revoked
 */
public record OtherAccounts(int grants, Set<String> revoking, Set<String> revoked) {

    public OtherAccounts {
        revoking = Set.copyOf(revoking);
        revoked = Set.copyOf(revoked);
    }

    public static OtherAccounts none() {
        return new OtherAccounts(0, Set.of(), Set.of());
    }

    public OtherAccounts withGrant() {
        return new OtherAccounts(grants + 1, revoking, revoked);
    }

    public OtherAccounts withRevoking(Set<String> ids) {
        Set<String> all = new HashSet<>(revoking);
        all.addAll(ids);
        Set<String> rest = new HashSet<>(revoked);
        rest.removeAll(ids);
        return new OtherAccounts(grants, all, rest);
    }

    public OtherAccounts withRevoked(String id) {
        Set<String> all = new HashSet<>(revoked);
        all.add(id);
        return new OtherAccounts(grants, revoking, all);
    }
}
