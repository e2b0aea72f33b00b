package io.bucketwright.store.none;

import io.bucketwright.store.access.BucketOwner;

/** The owner of a bucket. */
sealed interface BucketOwnership {
    /** Exists without an owner. */
    record Untagged() implements BucketOwnership {}

    record Owned(BucketOwner owner) implements BucketOwnership {}

    record Released(BucketOwner owner) implements BucketOwnership {}

    record Adopted(BucketOwner owner) implements BucketOwnership {}
}
