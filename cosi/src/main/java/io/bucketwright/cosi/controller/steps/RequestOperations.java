package io.bucketwright.cosi.controller.steps;

import io.bucketwright.api.cosi.CosiStatus;
import io.bucketwright.api.cosi.Provisioner;
import io.bucketwright.cosi.controller.steps.OperationMetrics.Operation;
import io.bucketwright.cosi.controller.steps.OperationMetrics.Status;
import io.fabric8.kubernetes.client.CustomResource;
import java.time.Instant;

/** The operations that end when a request becomes Bound or is deleted, for the metrics. */
public final class RequestOperations {

    private RequestOperations() {}

    /** The request is Bound; only the first time counts. */
    public static Operation bound(CustomResource<?, CosiStatus> request, String provisioner) {
        return CosiCondition.wasBound(request) ? Operation.NONE : creation(request, provisioner, Status.SUCCEEDED);
    }

    /** The request is deleted. A request that was never Bound is a canceled creation. */
    public static Operation deleted(CustomResource<?, CosiStatus> request, String provisioner) {
        return CosiCondition.wasBound(request)
                ? Operation.delete(
                        driver(provisioner),
                        request.getKind(),
                        Instant.parse(request.getMetadata().getDeletionTimestamp()))
                : creation(request, provisioner, Status.CANCELED);
    }

    private static Operation creation(CustomResource<?, CosiStatus> request, String provisioner, Status status) {
        return Operation.create(
                driver(provisioner),
                request.getKind(),
                status,
                Instant.parse(request.getMetadata().getCreationTimestamp()));
    }

    private static String driver(String provisioner) {
        return Provisioner.of(provisioner).map(Provisioner::name).orElse("");
    }
}
