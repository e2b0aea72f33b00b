package io.bucketwright.cosi.sidecar;

import java.util.HashSet;
import java.util.Set;

/**
 * What the driver has answered about the accounts of a lost access. Losing it repeats a call.
 *
 * @param revoked the accounts that are revoked
 */
record LostAccessState(Set<String> revoked) {

    static final LostAccessState NONE = new LostAccessState(Set.of());

    LostAccessState {
        revoked = Set.copyOf(revoked);
    }

    LostAccessState withRevoked(String account) {
        Set<String> all = new HashSet<>(revoked);
        all.add(account);
        return new LostAccessState(all);
    }
}
