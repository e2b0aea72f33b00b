package io.bucketwright.app.doctor.checks;

import io.bucketwright.app.doctor.finding.CheckName;
import io.bucketwright.app.doctor.finding.Finding;
import io.bucketwright.app.doctor.finding.FoundObject;
import io.bucketwright.app.doctor.observation.ClusterObservation;
import io.bucketwright.app.doctor.observation.StoreAnswer;
import java.util.stream.Stream;

/** Whether the stores of the classes respond and accept the credentials of the class. */
final class StoreCheck {

    private StoreCheck() {}

    static Stream<Finding> examine(ClusterObservation observed) {
        return observed.stores().stream().flatMap(StoreCheck::examine);
    }

    private static Stream<Finding> examine(StoreAnswer answer) {
        FoundObject object = FoundObject.cluster("StorageClass", answer.storageClass());
        return switch (answer.result()) {
            case OK -> Stream.empty();
            case SECRET_FORBIDDEN ->
                Stream.of(Finding.info(
                        CheckName.STORES,
                        Finding.NOT_CHECKED,
                        object,
                        "The store was not asked. " + answer.message(),
                        "Run this command as a user who may read that Secret."));
            case SECRET_MISSING ->
                Stream.of(Finding.error(
                        CheckName.STORES,
                        "SecretMissing",
                        object,
                        answer.message(),
                        "Create the Secret, or create a class that names another one. See docs/stores.md."));
            case DENIED ->
                Stream.of(Finding.error(
                        CheckName.STORES,
                        "StoreDenied",
                        object,
                        "The store rejects the credentials of the class: " + answer.message(),
                        "Correct the Secret of the class, or the permissions of its user in the store. See"
                                + " docs/stores.md."));
            case UNREACHABLE ->
                Stream.of(Finding.error(
                        CheckName.STORES,
                        "StoreUnreachable",
                        object,
                        "The store does not respond to this machine: " + answer.message(),
                        "Check the endpoint of the class, the network and the store: kubectl get storageclass "
                                + answer.storageClass() + " -o yaml"));
            case NOT_RESOLVED ->
                Stream.of(Finding.info(
                        CheckName.STORES,
                        Finding.NOT_CHECKED,
                        object,
                        "The host of the store is not known to this machine: " + answer.message(),
                        "Run this command in a pod of the cluster."));
            case FAILED ->
                Stream.of(Finding.error(
                        CheckName.STORES,
                        "StoreFailed",
                        object,
                        "The store cannot be used: " + answer.message(),
                        "See docs/stores.md."));
        };
    }
}
