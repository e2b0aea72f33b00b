package io.bucketwright.cosi.core;

import io.bucketwright.cosi.sidecar.driver.DriverMethod;
import io.bucketwright.runtime.controller.Problem;
import io.bucketwright.runtime.controller.Result;

/** A step for a bucket: one call to the driver, one write, or one event. */
public sealed interface BucketStep {

    /** Adds the finalizers and records uid and id, before the driver is called. The id is empty before the first call. */
    record WriteRecord(String id) implements BucketStep {}

    record Create(String inputs) implements BucketStep {}

    /** Publishes the id and whether the bucket is ready. It is not while it is being deleted in the store. */
    record Publish(String id, boolean ready) implements BucketStep {}

    /** Reports that a restored object waits for an administrator, and ends. */
    record AwaitConfirmation() implements BucketStep {}

    /** Deletes the bucket that the driver finds by this id. */
    record Delete(String id, String inputs) implements BucketStep {}

    /** Gives the bucket up: the driver does not say whether it still exists. */
    record GiveUp(String id, String cause) implements BucketStep {}

    /** Removes the finalizers of the object. */
    record Release(Left left) implements BucketStep {}

    /** Reports a problem, unless it was reported last, and ends. */
    record Report(DriverMethod method, Problem problem, Result result) implements BucketStep {}

    /** What a released object leaves in the store. */
    enum Left {
        NOTHING,
        /** The bucket, because its policy retains it. */
        RETAINED,
        /** The bucket of the object that a restored one is a copy of. */
        RESTORED,
        /** Perhaps a bucket of its name, which nobody can prove to be its own or may not delete. */
        PERHAPS
    }
}
