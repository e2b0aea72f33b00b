package io.bucketwright.store.options;

import io.bucketwright.store.access.Access;
import io.bucketwright.store.access.AccessMode;

/** What a store supports in addition to the four methods that every store has. */
public enum Capability {
    /** {@link io.bucketwright.store.Rotating#retire}: two keys are valid while a key is rotated. */
    ROTATE,
    /** {@link io.bucketwright.store.Adopting#erase}. */
    ERASE,
    /** {@link io.bucketwright.store.Rotating#suspend} and {@link io.bucketwright.store.Rotating#unsuspend}. */
    SUSPEND,
    /** {@link io.bucketwright.store.Adopting#release} and {@link io.bucketwright.store.Adopting#adopt}. */
    RELEASE,
    /** {@link io.bucketwright.store.Listing#listBuckets} and {@link io.bucketwright.store.Listing#findBucket}. */
    LIST,
    /** {@link io.bucketwright.store.Measuring#usage}. */
    USAGE,
    /** {@link io.bucketwright.store.BucketStore#update} of a principal's {@link Access}. */
    ACCESS,
    /** {@link Access#allow()} and {@link Access#deny()}, with the names of {@link io.bucketwright.store.access.ObjectAction}. */
    ACTIONS,
    /** {@link Access#prefix()}. */
    PREFIX("prefix"),
    /** {@link AccessMode#WRITE_ONLY}. */
    WRITE_ONLY,
    BUCKET_OWNER("bucketOwner"),
    QUOTA("quota"),
    VERSIONING("versioning"),
    OBJECT_LOCK("objectLock"),
    LIFECYCLE("lifecycle"),
    POLICY("policy"),
    CORS("cors"),
    TAGS("tags"),
    CANNED_ACL("cannedAcl"),
    ANONYMOUS_ACCESS("anonymousAccess");

    private final String option;

    Capability() {
        this("");
    }

    Capability(String option) {
        this.option = option;
    }

    /** Whether a class can allow its claims to set it. */
    boolean isOption() {
        return !option.isEmpty();
    }

    /** The name of a kind of option in classes, claims and messages. */
    public String text() {
        return isOption() ? option : name();
    }
}
