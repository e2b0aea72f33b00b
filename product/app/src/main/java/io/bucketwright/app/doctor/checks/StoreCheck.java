package io.bucketwright.app.doctor.checks;

import io.bucketwright.app.doctor.observation.ClusterObservation;
import io.bucketwright.app.doctor.observation.StoreAnswer;

/** Whether the stores of the classes respond and accept the credentials of the class. */
record StoreCheck(ClusterObservation observed, Findings found) {
    void examine() {
        observed.stores().forEach(this::examine);
    }

    private void examine(StoreAnswer answer) {
        FoundObject object = FoundObject.cluster("StorageClass", answer.storageClass());
        switch (answer.result()) {
            case OK -> {}
            case SECRET_FORBIDDEN ->
                found.info(
                        Finding.NOT_CHECKED,
                        object,
                        "The store was not asked. " + answer.message(),
                        "Run this command as a user who may read that Secret.");
            case SECRET_MISSING ->
                found.error(
                        "SecretMissing",
                        object,
                        answer.message(),
                        "Create the Secret, or create a class that names another one. See docs/stores.md.");
            case DENIED ->
                found.error(
                        "StoreDenied",
                        object,
                        "The store rejects the credentials of the class: " + answer.message(),
                        "Correct the Secret of the class, or the permissions of its user in the store. See"
                                + " docs/stores.md.");
            case UNREACHABLE ->
                found.error(
                        "StoreUnreachable",
                        object,
                        "The store does not respond to this machine: " + answer.message(),
                        "Check the endpoint of the class, the network and the store: kubectl get storageclass "
                                + answer.storageClass() + " -o yaml");
            case NOT_RESOLVED ->
                found.info(
                        Finding.NOT_CHECKED,
                        object,
                        "The host of the store is not known to this machine: " + answer.message(),
                        "Run this command in a pod of the cluster.");
            case FAILED ->
                found.error(
                        "StoreFailed", object, "The store cannot be used: " + answer.message(), "See docs/stores.md.");
        }
    }
}
