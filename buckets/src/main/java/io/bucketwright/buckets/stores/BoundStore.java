package io.bucketwright.buckets.stores;

import io.bucketwright.buckets.classes.BucketClass;
import java.util.Optional;

/**
 * How the store of a claim with an ObjectBucket is reached.
 *
 * @param recorded the class as the ObjectBucket records it
 * @param changed the same, reached as the class of the same name says now; empty if that is the same, or if the class no
 *     longer exists or names another store
 * @param elsewhere whether the class names another store, and the administrator does not confirm that it is the same one
 */
public record BoundStore(BucketClass recorded, Optional<BucketClass> changed, boolean elsewhere) {}
