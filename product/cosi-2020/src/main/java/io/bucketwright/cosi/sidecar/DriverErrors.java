package io.bucketwright.cosi.sidecar;

import com.google.protobuf.Message;
import io.bucketwright.api.cosi.status.ProvisionerReason;
import io.bucketwright.cosi.sidecar.dialect.DriverErrorTable;
import io.bucketwright.cosi.sidecar.driver.DriverAnswer;
import io.bucketwright.cosi.sidecar.driver.DriverMethod;
import io.bucketwright.cosi.wire.CosiError;
import io.bucketwright.runtime.controller.Problem;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;

/** The errors of {@code cosi.v1}. {@link CosiError} defines what each of them means. */
final class DriverErrors implements DriverErrorTable {

    @Override
    public String rpc(DriverMethod method) {
        return method.rpc();
    }

    @Override
    public <T> DriverAnswer<T> answer(String driver, DriverMethod method, StatusRuntimeException e, Message request) {
        CosiError error = CosiError.of(method.operation(), e);
        Status status = e.getStatus();
        String reason = reason(error, status).text();
        String name = CosiError.named(e).map(named -> " (" + named + ")").orElse("");
        String message = "Driver " + driver + " answered " + rpc(method) + " with " + status.getCode() + name + ": "
                + DriverErrorTable.message(status, request) + advice(error);
        return switch (error.meaning()) {
            case DONE -> new DriverAnswer.AlreadyRemoved<>();
            case IN_PROGRESS -> new DriverAnswer.Pending<>(DriverAnswer.IN_PROGRESS_DELAY);
            case TRY_AGAIN -> new DriverAnswer.Failed<>(Problem.retryable(reason, message));
            // Nobody edits an object that is being deleted: what is wrong is fixed elsewhere, so the sidecar retries.
            case CHANGE_NEEDED ->
                new DriverAnswer.Failed<>(
                        // A bucket that exists may be the driver's own, half created by a call that failed before.
                        method.isRemoval() || error == CosiError.CREATE_ALREADY_EXISTS
                                ? Problem.retryable(reason, message)
                                : Problem.requiresChange(reason, message));
        };
    }

    private static String advice(CosiError error) {
        return error == CosiError.DELETE_INVALID_ARGUMENT
                ? " The sidecar retries. To delete only the Bucket object and leave the bucket in the store, set"
                        + " releasePolicy of the Bucket to Retain."
                : "";
    }

    private static ProvisionerReason reason(CosiError error, Status status) {
        return switch (status.getCode()) {
            case DEADLINE_EXCEEDED -> ProvisionerReason.DRIVER_TIMEOUT;
            case UNAVAILABLE -> ProvisionerReason.DRIVER_UNAVAILABLE;
            case UNIMPLEMENTED -> ProvisionerReason.UNIMPLEMENTED;
            default -> reason(error);
        };
    }

    private static ProvisionerReason reason(CosiError error) {
        return switch (error) {
            case CREATE_INVALID_ARGUMENT, DELETE_INVALID_ARGUMENT, GRANT_INVALID_ARGUMENT, REVOKE_INVALID_ARGUMENT ->
                ProvisionerReason.INVALID_ARGUMENT;
            case CREATE_INVALID_PROTOCOL -> ProvisionerReason.INVALID_PROTOCOL;
            case CREATE_ALREADY_EXISTS -> ProvisionerReason.ALREADY_EXISTS;
            case GRANT_INVALID_PRINCIPAL, REVOKE_INVALID_PRINCIPAL -> ProvisionerReason.INVALID_PRINCIPAL;
            case CREATE_INVALID_CREDENTIALS,
                    DELETE_INVALID_CREDENTIALS,
                    GRANT_INVALID_CREDENTIALS,
                    REVOKE_INVALID_CREDENTIALS -> ProvisionerReason.INVALID_CREDENTIALS;
            case DELETE_BUCKET_DOESNOT_EXIST, GRANT_BUCKET_DOESNOT_EXIST, REVOKE_BUCKET_DOESNOT_EXIST ->
                ProvisionerReason.BUCKET_DOES_NOT_EXIST;
            case DELETE_DELETE_INPROGRESS -> ProvisionerReason.DELETING;
            case CREATE_INTERNAL_ERROR, DELETE_INTERNAL_ERROR, GRANT_INTERNAL_ERROR, REVOKE_INTERNAL_ERROR ->
                ProvisionerReason.INTERNAL_ERROR;
        };
    }
}
