package io.bucketwright.cosi.core;

/** Whether the store has a bucket that was created for this object, as far as this process knows. */
public sealed interface BucketAttempt {

    /** The driver was not asked, or has certainly created nothing. */
    record None() implements BucketAttempt {}

    /** It has one, and the driver finds it by this id, which is not recorded yet. */
    record Mine(String id) implements BucketAttempt {}

    /**
     * The driver may have created it: nobody knows the answer of a call.
     *
     * @param idLost whether the driver was asked again, and does not tell the id
     */
    record Perhaps(boolean idLost) implements BucketAttempt {}
}
