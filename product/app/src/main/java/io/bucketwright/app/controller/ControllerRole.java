package io.bucketwright.app.controller;

import java.util.Locale;

/** A controller that {@code bucketwright controller} can run. */
public enum ControllerRole {
    /** Binds ObjectBucketClaims. */
    BUCKETS,
    /** Reports ObjectBuckets whose claim no longer exists. */
    ORPHANS,
    /** Binds BucketClaims, BucketRequests and BucketAccessRequests; the sidecar of each provisioner does the rest. */
    COSI,
    /** Creates the PersistentVolumeClaims that pods request by annotation. */
    POD_CLAIMS,
    /** Makes Released volumes Available again. */
    RELEASER;

    /** The name on the command line. */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
