package io.bucketwright.cosi.core;

import io.bucketwright.cosi.sidecar.driver.DriverMethod;
import io.bucketwright.cosi.sidecar.driver.DriverOrder;
import io.bucketwright.runtime.controller.Problem;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.util.List;

/**
 * How an API keeps the record of a bucket, and how it reports: one write or event each.
 *
 * @param <B> the record of one object
 */
public interface BucketBinding<B extends BucketRecord> {

    /** Adds the finalizers and records the uid of the object, and the id if there is one. */
    void record(B bucket, String id);

    void publish(B bucket, String id, boolean ready);

    void awaitConfirmation(B bucket);

    /** Removes the finalizers and reports what is left in the store. */
    void release(B bucket, BucketStep.Left left);

    /** Reports that the bucket is given up. */
    void giveUp(B bucket, String id, String cause);

    void report(B bucket, DriverMethod method, Problem problem);

    /**
     * The problem of a creation, with what an administrator can do.
     *
     * @param untried whether no earlier call can have created the bucket
     */
    Problem explain(B bucket, Problem problem, boolean untried);

    DriverOrder.Create creation(B bucket);

    DriverOrder.Delete deletion(B bucket, String id);

    /** The object and those who wait for it. */
    List<HasMetadata> concerned(B bucket);
}
