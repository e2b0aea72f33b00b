package io.bucketwright.cosi.core;

import java.util.List;
import java.util.Optional;

/**
 * What an API shows about one grantee.
 *
 * @param access empty if it no longer exists
 * @param recorded the buckets whose ledgers have grants for it, whatever the access says now
 * @param named the bucket that the access names through its claim, if it is of this driver
 * @param entitled whether the access may have grants on the named bucket: class, claim and bucket belong together
 */
public record AccessFacts(
        Optional<RequestedAccess> access,
        List<GrantingBucket> recorded,
        Optional<GrantingBucket> named,
        boolean entitled,
        Permission permission) {

    public AccessFacts {
        recorded = List.copyOf(recorded);
    }
}
