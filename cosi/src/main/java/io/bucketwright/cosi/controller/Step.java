package io.bucketwright.cosi.controller;

import io.bucketwright.api.cosi.BucketAccess;
import io.bucketwright.api.cosi.BucketAccessRequest;
import io.bucketwright.cosi.controller.Operations.Operation;
import io.bucketwright.runtime.client.JsonPatch;
import io.fabric8.kubernetes.api.model.Condition;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.util.Map;

/** What can be done: one write. Nothing in a step prints a secret value. */
sealed interface Step {

    /** Creates a Bucket or a BucketAccess. */
    record Create(HasMetadata object) implements Step {}

    /** Lays fields of ours over exactly this version of an object. */
    record Merge(HasMetadata object, Map<String, ?> fields) implements Step {}

    /** Marks a request and writes into it the name that its answer will have, unless another request takes it now. */
    record TakeName(HasMetadata request, String name, Map<String, ?> fields) implements Step {}

    /** Changes exactly this version of an object. */
    record Patch(HasMetadata object, JsonPatch patch) implements Step {}

    /**
     * Tells how things stand.
     *
     * @param ended what came to its end with that, for the metrics
     */
    record Say(HasMetadata object, Said said, Condition ready, Operation ended) implements Step {}

    /** Writes the application's Secret, from the provisioner's; which is which, the access says. */
    record CopySecret(BucketAccessRequest request, BucketAccess access) implements Step {}

    record Delete(HasMetadata object) implements Step {}

    /**
     * Takes our finalizer off.
     *
     * @param ended what came to its end with that, for the metrics
     */
    record LetGo(HasMetadata object, Operation ended) implements Step {}
}
