package io.bucketwright.store.options;

import io.bucketwright.store.access.Access;
import io.bucketwright.store.access.AccessMode;

/** What a store supports in addition to the four methods that every store has. */
public enum Capability {
    /** {@link io.bucketwright.store.BucketStore#retire}: two keys are valid while a key is rotated. */
    ROTATE,
    /** {@link io.bucketwright.store.BucketStore#erase}. */
    ERASE,
    /** {@link io.bucketwright.store.BucketStore#suspend} and {@link io.bucketwright.store.BucketStore#unsuspend}. */
    SUSPEND,
    /** {@link io.bucketwright.store.BucketStore#release} and {@link io.bucketwright.store.BucketStore#adopt}. */
    RELEASE,
    /** {@link io.bucketwright.store.BucketStore#listBuckets} and {@link io.bucketwright.store.BucketStore#findBucket}. */
    LIST,
    /** {@link io.bucketwright.store.BucketStore#usage}. */
    USAGE,
    /** {@link io.bucketwright.store.BucketStore#update} of a principal's {@link Access}. */
    ACCESS,
    /** {@link Access#prefix()}. */
    PREFIX,
    /** {@link AccessMode#WRITE_ONLY}. */
    WRITE_ONLY,
    BUCKET_OWNER,
    QUOTA,
    VERSIONING,
    OBJECT_LOCK,
    LIFECYCLE,
    POLICY,
    CORS,
    TAGS,
    CANNED_ACL,
    ANONYMOUS_ACCESS
}
