package io.bucketwright.devtools.demo;

import java.util.List;
import java.util.Locale;

/** What the demo can show, in the order in which it does. */
enum DemoPart {
    /** An ObjectBucketClaim. */
    BUCKETS,
    /** A BucketClaim and a BucketAccess: COSI as released. */
    COSI,
    /** A BucketRequest and a BucketAccessRequest: COSI as designed in 2020. */
    COSI_IO,
    /** A directory as a volume that is released and bound again. */
    VOLUMES;

    /** What is shown unless the user selects parts. */
    static List<DemoPart> usual() {
        return List.of(BUCKETS, COSI, VOLUMES);
    }

    /** Whether it needs an object store. */
    boolean needsStore() {
        return this != VOLUMES;
    }

    /** The name on the command line. */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT).replace('_', '.');
    }
}
