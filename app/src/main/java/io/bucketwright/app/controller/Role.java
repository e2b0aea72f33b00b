package io.bucketwright.app.controller;

import java.util.Locale;

/** A controller that can run in this process. */
public enum Role {
    /** Binds ObjectBucketClaims. */
    BUCKETS,
    /** Finds ObjectBuckets whose claim is gone. */
    ORPHANS,
    /** Binds BucketRequests and BucketAccessRequests; each provisioner has a sidecar beside it. */
    COSI,
    /** Makes the claims that pods ask for by annotation. */
    POD_CLAIMS,
    /** Makes Released volumes Available again. */
    RELEASER;

    /** As it is written on the command line. */
    public String word() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    @Override
    public String toString() {
        return word();
    }
}
