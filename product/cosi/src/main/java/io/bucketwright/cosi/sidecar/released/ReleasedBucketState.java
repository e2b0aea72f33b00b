package io.bucketwright.cosi.sidecar.released;

import java.util.Optional;

/**
 * What only this process knows about a Bucket.
 *
 * @param recordedHere whether this process has recorded the first attempt, and has not made it yet
 * @param id of the created bucket, which is not written yet
 * @param nameInUse whether the first attempt has found a bucket of that name, which is not recorded yet
 * @param idUnknown whether the driver could not be asked for the id of a Bucket that is being deleted
 * @param deletingHere whether this process has recorded that it deletes the bucket, and no earlier call can have done it
 * @param failedHere whether that call has failed for certain, which is not recorded yet
 * @param deleted whether the driver has deleted the bucket
 */
record ReleasedBucketState(
        boolean recordedHere,
        Optional<String> id,
        boolean nameInUse,
        boolean idUnknown,
        boolean deletingHere,
        boolean failedHere,
        boolean deleted) {

    static final ReleasedBucketState NONE =
            new ReleasedBucketState(false, Optional.empty(), false, false, false, false, false);

    ReleasedBucketState afterRecord() {
        return new ReleasedBucketState(true, id, false, idUnknown, deletingHere, failedHere, deleted);
    }

    ReleasedBucketState beforeCreate() {
        return new ReleasedBucketState(false, id, nameInUse, idUnknown, deletingHere, failedHere, deleted);
    }

    ReleasedBucketState withId(String value) {
        return new ReleasedBucketState(false, Optional.of(value), false, false, deletingHere, failedHere, deleted);
    }

    ReleasedBucketState withNameInUse(boolean value) {
        return new ReleasedBucketState(false, id, value, idUnknown, deletingHere, failedHere, deleted);
    }

    ReleasedBucketState withUnknownId() {
        return new ReleasedBucketState(false, id, nameInUse, true, deletingHere, failedHere, deleted);
    }

    /** Whether a deletion is recorded by this process, and whether it has failed for certain. */
    ReleasedBucketState withDeletion(boolean recorded, boolean failed) {
        return new ReleasedBucketState(recordedHere, id, nameInUse, idUnknown, recorded, failed, deleted);
    }

    ReleasedBucketState afterDelete() {
        return new ReleasedBucketState(recordedHere, id, nameInUse, idUnknown, deletingHere, false, true);
    }
}
