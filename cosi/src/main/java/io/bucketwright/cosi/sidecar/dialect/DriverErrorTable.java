package io.bucketwright.cosi.sidecar.dialect;

import com.google.protobuf.Message;
import io.bucketwright.api.cosi.status.ProvisionerReason;
import io.bucketwright.cosi.sidecar.driver.DriverAnswer;
import io.bucketwright.cosi.sidecar.driver.DriverMethod;
import io.bucketwright.runtime.controller.Problem;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;

/** What the errors of a dialect mean, and the names of its RPCs in their messages. */
interface DriverErrorTable {

    /** The name of the RPC, which has a prefix in the protocols of Kubernetes SIG Storage. */
    default String rpc(DriverMethod method) {
        return "Driver" + method.rpc();
    }

    <T> DriverAnswer<T> answer(String driver, DriverMethod method, StatusRuntimeException error, Message request);

    static <T> DriverAnswer<T> retried(ProvisionerReason reason, String message) {
        return new DriverAnswer.Failed<>(Problem.retryable(reason.text(), message));
    }

    /** Errors that say nothing about the request, and mean the same in each released dialect. */
    static <T> DriverAnswer<T> temporary(Status.Code code, String message) {
        return retried(
                switch (code) {
                    case UNAUTHENTICATED, PERMISSION_DENIED -> ProvisionerReason.INVALID_CREDENTIALS;
                    case DEADLINE_EXCEEDED -> ProvisionerReason.DRIVER_TIMEOUT;
                    case UNAVAILABLE, RESOURCE_EXHAUSTED, CANCELLED -> ProvisionerReason.DRIVER_UNAVAILABLE;
                    // A bucket that is not empty exists: unlike an internal error, this never ends its deletion.
                    case FAILED_PRECONDITION -> ProvisionerReason.FAILED_PRECONDITION;
                    default -> ProvisionerReason.INTERNAL_ERROR;
                },
                message);
    }

    /** Nobody edits an object that is being deleted: what is wrong is fixed elsewhere, so the sidecar retries. */
    static <T> DriverAnswer<T> rejected(DriverMethod method, ProvisionerReason reason, String message) {
        return method.isRemoval()
                ? retried(reason, message)
                : new DriverAnswer.Failed<>(Problem.requiresChange(reason.text(), message));
    }
}
