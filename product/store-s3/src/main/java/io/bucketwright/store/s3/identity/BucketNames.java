package io.bucketwright.store.s3.identity;

import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * A part of the names of all buckets.
 *
 * @param next where the next part begins; empty if this is the last one
 */
public record BucketNames(List<Named> buckets, Optional<String> next) {

    /**
     * A bucket in such a list.
     *
     * @param created empty if the store does not tell
     */
    public record Named(String name, Optional<Instant> created) {}

    public BucketNames {
        buckets = List.copyOf(buckets);
    }
}
