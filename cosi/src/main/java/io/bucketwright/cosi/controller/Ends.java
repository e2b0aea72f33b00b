package io.bucketwright.cosi.controller;

import io.bucketwright.api.cosi.CosiStatus;
import io.bucketwright.api.cosi.Provisioner;
import io.bucketwright.cosi.controller.Operations.Operation;
import io.bucketwright.cosi.controller.Operations.Status;
import io.fabric8.kubernetes.client.CustomResource;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** What the metrics are told about the end of a request. */
final class Ends {

    private Ends() {}

    /** It is bound; only the first time counts. */
    static Operation created(CustomResource<?, CosiStatus> request, String provisioner) {
        return wasBound(request)
                ? Operation.NONE
                : Operation.create(
                        driver(provisioner),
                        request.getKind(),
                        Status.SUCCEEDED,
                        Instant.parse(request.getMetadata().getCreationTimestamp()));
    }

    /** It goes: a request that was never bound was canceled, any other is deleted. */
    static Operation left(CustomResource<?, CosiStatus> request, String provisioner) {
        return wasBound(request)
                ? Operation.delete(
                        driver(provisioner),
                        request.getKind(),
                        Instant.parse(request.getMetadata().getDeletionTimestamp()))
                : Operation.create(
                        driver(provisioner),
                        request.getKind(),
                        Status.CANCELED,
                        Instant.parse(request.getMetadata().getCreationTimestamp()));
    }

    /** The condition outlives the phase, which says Deleting in between. */
    static boolean wasBound(CustomResource<?, CosiStatus> request) {
        @Nullable CosiStatus status = request.getStatus();
        return status != null && status.condition(Said.BOUND).isPresent();
    }

    private static String driver(String provisioner) {
        return Provisioner.of(provisioner).map(Provisioner::name).orElse("");
    }
}
