package io.bucketwright.store;

import java.util.List;
import java.util.Optional;

/**
 * A part of the list of buckets.
 *
 * @param next where the next part begins, in words of the store; empty if this is the last one
 */
public record BucketPage(List<ListedBucket> buckets, Optional<String> next) {

    /** Where the first part begins. */
    public static final String FIRST = "";

    public BucketPage {
        buckets = List.copyOf(buckets);
    }
}
