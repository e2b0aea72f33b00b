package io.bucketwright.buckets.stores;

import io.bucketwright.buckets.classes.BucketClass;
import java.util.Optional;

/**
 * How the store of a claim with an ObjectBucket is reached.
 *
 * @param recorded the class as the ObjectBucket records it
 * @param changed the same, reached as the class of the same name says now, or as its administrator Secret says; empty if that
 *     is the same, or if the class no longer exists or names another store
 * @param problem why that class cannot be used together with what is recorded; empty if it can
 * @param elsewhere whether the class names another store, and the administrator does not confirm that it is the same one
 */
public record BoundStore(BucketClass recorded, Optional<BucketClass> changed, String problem, boolean elsewhere) {

    static BoundStore asRecorded(BucketClass recorded) {
        return new BoundStore(recorded, Optional.empty(), "", false);
    }

    /** The administrator Secret names another endpoint than the ObjectBucket records. */
    public BoundStore withOtherEndpoint() {
        return new BoundStore(recorded, Optional.of(recorded), "", false);
    }

    /** Whether the class and its parameters are those that are recorded. */
    public boolean isAsRecorded() {
        return problem.isEmpty()
                && !elsewhere
                && changed.filter(other -> !other.equals(recorded)).isEmpty();
    }
}
