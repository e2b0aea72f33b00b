package io.bucketwright.store;

/** What a store can do beyond the four methods that every store has. */
public enum Capability {
    /** {@link BucketStore#rotate} and {@link BucketStore#retire}. */
    ROTATE,
    /** {@link BucketStore#erase}. */
    ERASE,
    /** {@link BucketStore#suspend} and {@link BucketStore#lift}. */
    SUSPEND,
    /** {@link BucketStore#release} and {@link BucketStore#adopt}. */
    RELEASE,
    /** {@link BucketStore#usage}. */
    USAGE,
    /** {@link BucketStore#update} of a principal's {@link Access}. */
    ACCESS,
    /** {@link Access#prefix()}. */
    PREFIX,
    /** {@link AccessMode#WRITE_ONLY}. */
    WRITE_ONLY,
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
