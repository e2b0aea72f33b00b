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
 * @param reported the problem of the last event, as one text
 */
record InFlightReleasedBucket(
        boolean recordedHere,
        Optional<String> id,
        boolean nameInUse,
        boolean idUnknown,
        boolean deletingHere,
        boolean failedHere,
        boolean deleted,
        String reported) {

    static InFlightReleasedBucket none() {
        return new InFlightReleasedBucket(false, Optional.empty(), false, false, false, false, false, "");
    }

    InFlightReleasedBucket afterRecord() {
        return new InFlightReleasedBucket(true, id, false, idUnknown, deletingHere, failedHere, deleted, reported);
    }

    InFlightReleasedBucket beforeCreate() {
        return new InFlightReleasedBucket(false, id, nameInUse, idUnknown, deletingHere, failedHere, deleted, reported);
    }

    InFlightReleasedBucket withId(String value) {
        return new InFlightReleasedBucket(
                false, Optional.of(value), false, false, deletingHere, failedHere, deleted, reported);
    }

    InFlightReleasedBucket withNameInUse(boolean value) {
        return new InFlightReleasedBucket(false, id, value, idUnknown, deletingHere, failedHere, deleted, reported);
    }

    InFlightReleasedBucket withUnknownId() {
        return new InFlightReleasedBucket(false, id, nameInUse, true, deletingHere, failedHere, deleted, reported);
    }

    /** Whether a deletion is recorded by this process, and whether it has failed for certain. */
    InFlightReleasedBucket withDeletion(boolean recorded, boolean failed) {
        return new InFlightReleasedBucket(recordedHere, id, nameInUse, idUnknown, recorded, failed, deleted, reported);
    }

    InFlightReleasedBucket afterDelete() {
        return new InFlightReleasedBucket(recordedHere, id, nameInUse, idUnknown, deletingHere, false, true, reported);
    }

    InFlightReleasedBucket withReport(String value) {
        return new InFlightReleasedBucket(
                recordedHere, id, nameInUse, idUnknown, deletingHere, failedHere, deleted, value);
    }
}
