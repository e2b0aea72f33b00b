package io.bucketwright.cosi.controller;

import io.bucketwright.api.cosi.Bucket;
import io.bucketwright.api.cosi.BucketAccess;
import io.bucketwright.api.cosi.BucketAccessRequest;
import io.bucketwright.api.cosi.CosiStatus;
import io.bucketwright.cosi.requests.OperationMetrics.Operation;
import io.bucketwright.runtime.client.JsonPatch;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.CustomResource;
import java.util.Map;

/** One write of the controller. No step prints a secret value. */
sealed interface ControllerStep {

    /** Creates a Bucket or a BucketAccess for a request. */
    record Create(HasMetadata request, HasMetadata object) implements ControllerStep {}

    /** Merges fields into exactly this version of an object. */
    record Merge(HasMetadata object, Map<String, ?> fields) implements ControllerStep {}

    /** Writes the name of the future Bucket or BucketAccess into its request, unless another request reserves it. */
    record ReserveName(HasMetadata request, String name, Map<String, ?> fields) implements ControllerStep {}

    /** Patches exactly this version of an object. */
    record Patch(HasMetadata object, JsonPatch patch) implements ControllerStep {}

    /**
     * Writes phase, message and conditions, and records an event.
     *
     * @param completed the operation that ends with this write, for the metrics
     */
    record UpdateStatus(CustomResource<?, CosiStatus> object, CosiCondition condition, Operation completed)
            implements ControllerStep {}

    /** Writes the application's Secret with the content of the provisioner's. */
    record CopySecret(BucketAccessRequest request, BucketAccess access) implements ControllerStep {}

    record Delete(HasMetadata object) implements ControllerStep {}

    /** Deletes a Bucket that was never created in the store, after a read shows that its request does not exist. */
    record DeleteOrphan(Bucket bucket) implements ControllerStep {}

    /** Records an event about a Bucket whose request no longer exists. */
    record ReportOrphan(Bucket bucket) implements ControllerStep {}

    /**
     * Removes the controller's finalizer.
     *
     * @param completed the operation that ends with this write, for the metrics
     */
    record RemoveFinalizer(HasMetadata object, Operation completed) implements ControllerStep {}
}
