package io.bucketwright.app.controller;

import java.util.Locale;

/** A controller that can run in this process. */
public enum Role {
    /** Binds ObjectBucketClaims. */
    BUCKETS,
    /** Finds ObjectBuckets whose claim is gone. */
    ORPHANS;

    /** As it is written on the command line. */
    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }
}
