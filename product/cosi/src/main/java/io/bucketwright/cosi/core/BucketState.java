package io.bucketwright.cosi.core;

import io.bucketwright.runtime.Moment;
import java.util.Optional;

/**
 * What only this process knows about a bucket.
 *
 * @param absentSince since when the driver answers each deletion with an error that may mean that there is no bucket; empty if
 *     its last answer was another one
 */
public record BucketState(BucketAttempt attempt, Deletion deletion, Optional<Moment> absentSince) {

    /** What is known about the deletion in the store. */
    public enum Deletion {
        /** Nothing: if a deletion is recorded, an earlier call may have succeeded. */
        UNKNOWN,
        /** This process has recorded it, and no earlier call can have succeeded. */
        RECORDED,
        /** Its first call has certainly failed, which is not recorded yet. */
        FAILED,
        /** The bucket is deleted, or given up. */
        DONE
    }

    public static final BucketState UNKNOWN =
            new BucketState(new BucketAttempt.Perhaps(false), Deletion.UNKNOWN, Optional.empty());

    BucketState with(BucketAttempt next) {
        return new BucketState(next, deletion, absentSince);
    }

    BucketState with(Deletion next) {
        return new BucketState(attempt, next, absentSince);
    }

    BucketState afterFailedDeletion(boolean ambiguous, boolean mayMeanAbsent, Moment now) {
        return new BucketState(
                attempt,
                deletion == Deletion.RECORDED && !ambiguous ? Deletion.FAILED : Deletion.UNKNOWN,
                mayMeanAbsent ? absentSince.or(() -> Optional.of(now)) : Optional.empty());
    }
}
