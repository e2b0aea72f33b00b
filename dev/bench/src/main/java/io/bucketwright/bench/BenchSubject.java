package io.bucketwright.bench;

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
    SCALE,
    /** Secrets, ConfigMaps and claims that the controller has nothing to do for. */
    FOREIGN,
    /** Volumes and pods that the volume controllers have nothing to do for. */
    FOREIGN_VOLUMES,
    /** Claims that are created and deleted for a time, with two replicas. */
    CHURN;

    /** The name on the command line. */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
