package io.bucketwright.app.demo;

import java.util.Locale;

/** What the demo can show, in the order in which it does. */
enum DemoPart {
    /** An ObjectBucketClaim. */
    BUCKETS,
    /** A BucketRequest and a BucketAccessRequest. */
    COSI,
    /** A directory as a volume that is released and bound again. */
    VOLUMES;

    /** Whether it needs an object store. */
    boolean needsStore() {
        return this != VOLUMES;
    }

    /** The name on the command line. */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
