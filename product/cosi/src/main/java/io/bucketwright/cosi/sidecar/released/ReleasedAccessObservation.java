package io.bucketwright.cosi.sidecar.released;

import io.bucketwright.api.objectstorage.BucketClaim;
import io.bucketwright.api.objectstorage.ReleasedBucket;
import io.bucketwright.api.objectstorage.ReleasedBucketAccess;
import io.bucketwright.api.objectstorage.ReleasedBucketAccessClass;
import io.bucketwright.api.objectstorage.ReleasedNames;
import io.bucketwright.cosi.sidecar.driver.DriverPreconditions;
import io.bucketwright.runtime.controller.FailedAttempt;
import io.bucketwright.runtime.objects.Metadata;
import java.time.Instant;
import java.util.Optional;

/**
 * Everything known about one BucketAccess.
 *
 * @param driver that this sidecar serves
 * @param access empty if it no longer exists
 * @param accessClass that it names, of whatever driver
 * @param claim that it names
 * @param bucket that the claim names, whatever it is bound to; without a claim the one that is bound to its name
 */
record ReleasedAccessObservation(
        String driver,
        Optional<ReleasedBucketAccess> access,
        Optional<ReleasedBucketAccessClass> accessClass,
        Optional<BucketClaim> claim,
        Optional<ReleasedBucket> bucket,
        DriverPreconditions preconditions,
        ReleasedAccessState inFlight,
        Optional<FailedAttempt> failure,
        Instant now) {

    boolean isServed(ReleasedBucket candidate) {
        return driver.equalsIgnoreCase(candidate.spec().driverName());
    }

    boolean isServed(ReleasedBucketAccessClass candidate) {
        return driver.equalsIgnoreCase(candidate.getDriverName());
    }

    /** What is recorded about the accounts of the access; nothing without a Bucket of this driver. */
    AccountRecord accounts(ReleasedBucketAccess candidate) {
        return bucket.filter(this::isServed)
                .map(found -> AccountRecord.decode(Metadata.annotation(found, accountsKey(candidate))))
                .orElseGet(() -> AccountRecord.NONE);
    }

    static String accountsKey(ReleasedBucketAccess access) {
        return ReleasedNames.ACCOUNTS + access.getMetadata().getUid();
    }
}
