package io.bucketwright.cosi.controller;

import io.bucketwright.api.cosi.CosiStatus;
import io.bucketwright.api.cosi.Provisioner;
import io.bucketwright.cosi.requests.OperationMetrics.Operation;
import io.bucketwright.cosi.requests.OperationMetrics.Status;
import io.fabric8.kubernetes.client.CustomResource;
import java.time.Instant;

/** The operations that requests of {@code cosi.io} complete. */
final class RequestOperations {

    private RequestOperations() {}

    /** The request is Bound; only the first time counts. */
    static Operation bound(CustomResource<?, CosiStatus> request, String provisioner) {
        return CosiCondition.wasBound(request) ? Operation.NONE : creation(request, provisioner, Status.SUCCEEDED);
    }

    /** The request is deleted. A request that was never Bound is a canceled creation. */
    static Operation deleted(CustomResource<?, CosiStatus> request, String provisioner) {
        return CosiCondition.wasBound(request)
                ? new Operation(
                        driver(provisioner),
                        request.getKind(),
                        "Delete",
                        Status.SUCCEEDED,
                        Instant.parse(request.getMetadata().getDeletionTimestamp()))
                : creation(request, provisioner, Status.CANCELED);
    }

    private static Operation creation(CustomResource<?, CosiStatus> request, String provisioner, Status status) {
        return new Operation(
                driver(provisioner),
                request.getKind(),
                "Create",
                status,
                Instant.parse(request.getMetadata().getCreationTimestamp()));
    }

    private static String driver(String provisioner) {
        return Provisioner.of(provisioner).map(Provisioner::name).orElse(Operation.UNKNOWN_DRIVER);
    }
}
