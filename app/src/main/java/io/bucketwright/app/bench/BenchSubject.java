package io.bucketwright.app.bench;

import java.util.Locale;

/** What can be measured. */
enum BenchSubject {
    /** ObjectBucketClaims. */
    BUCKETS,
    /** COSI requests. */
    COSI,
    /** Claims of pods, and directories. */
    VOLUMES,
    /** Processes without work. */
    IDLE,
    /** Many ObjectBucketClaims. */
    SCALE;

    /** The name on the command line. */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
