package io.bucketwright.cosi.sidecar.dialect;

import com.google.protobuf.Message;
import io.bucketwright.api.cosi.status.ProvisionerReason;
import io.bucketwright.cosi.sidecar.driver.DriverAnswer;
import io.bucketwright.cosi.sidecar.driver.DriverMethod;
import io.bucketwright.runtime.controller.Problem;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;

/**
 * The errors of {@code cosi.v1alpha1}. Only the code counts: the released protocol has no names of errors. Drivers differ in
 * their codes, so a code requires a change only if no repetition can help.
 */
final class ReleasedErrors implements DriverErrorTable {

    @Override
    public String rpc(DriverMethod method) {
        return "Driver" + method.rpc();
    }

    @Override
    public <T> DriverAnswer<T> answer(String driver, DriverMethod method, StatusRuntimeException e, Message request) {
        Status status = e.getStatus();
        String message = "Driver " + driver + " answered " + rpc(method) + " with " + status.getCode() + ": "
                + DriverErrorTable.message(status, request);
        return switch (status.getCode()) {
            case NOT_FOUND ->
                method.isRemoval()
                        ? new DriverAnswer.AlreadyRemoved<>()
                        : retried(
                                method == DriverMethod.GRANT_ACCESS
                                        ? ProvisionerReason.BUCKET_DOES_NOT_EXIST
                                        : ProvisionerReason.INTERNAL_ERROR,
                                message);
            case ABORTED -> new DriverAnswer.Pending<>(DriverAnswer.IN_PROGRESS_DELAY);
            case INVALID_ARGUMENT, OUT_OF_RANGE -> rejected(method, ProvisionerReason.INVALID_ARGUMENT, message);
            case UNIMPLEMENTED -> rejected(method, ProvisionerReason.UNIMPLEMENTED, message);
            // It may be this bucket or account, from a call whose answer was lost, and may be removed in the store.
            case ALREADY_EXISTS -> retried(ProvisionerReason.ALREADY_EXISTS, message);
            default -> temporary(status.getCode(), message);
        };
    }

    /** Errors that say nothing about the request. */
    private static <T> DriverAnswer<T> temporary(Status.Code code, String message) {
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

    private static <T> DriverAnswer<T> retried(ProvisionerReason reason, String message) {
        return new DriverAnswer.Failed<>(Problem.retryable(reason.text(), message));
    }

    /** Nobody edits an object that is being deleted: what is wrong is fixed elsewhere, so the sidecar retries. */
    private static <T> DriverAnswer<T> rejected(DriverMethod method, ProvisionerReason reason, String message) {
        return method.isRemoval()
                ? retried(reason, message)
                : new DriverAnswer.Failed<>(Problem.requiresChange(reason.text(), message));
    }
}
