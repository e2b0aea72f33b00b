package io.bucketwright.cosi.sidecar.dialect;

import com.google.protobuf.Message;
import io.bucketwright.api.cosi.status.ProvisionerReason;
import io.bucketwright.cosi.sidecar.driver.DriverAnswer;
import io.bucketwright.cosi.sidecar.driver.DriverMethod;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;

/**
 * The errors of {@code cosi.v1alpha1}. Only the code counts: the released protocol has no names of errors. Drivers differ in
 * their codes, so a code requires a change only if no repetition can help.
 */
final class ReleasedErrors implements DriverErrorTable {

    @Override
    public <T> DriverAnswer<T> answer(String driver, DriverMethod method, StatusRuntimeException e, Message request) {
        Status status = e.getStatus();
        String message = "Driver " + driver + " answered " + rpc(method) + " with " + status.getCode() + ": "
                + DriverErrors.message(status, request);
        return switch (status.getCode()) {
            case NOT_FOUND ->
                method.isRemoval()
                        ? new DriverAnswer.AlreadyRemoved<>()
                        : DriverErrorTable.retried(
                                method == DriverMethod.GRANT_ACCESS
                                        ? ProvisionerReason.BUCKET_DOES_NOT_EXIST
                                        : ProvisionerReason.INTERNAL_ERROR,
                                message);
            case ABORTED -> new DriverAnswer.Pending<>(DriverAnswer.IN_PROGRESS_DELAY);
            case INVALID_ARGUMENT, OUT_OF_RANGE ->
                DriverErrorTable.rejected(method, ProvisionerReason.INVALID_ARGUMENT, message);
            case UNIMPLEMENTED -> DriverErrorTable.rejected(method, ProvisionerReason.UNIMPLEMENTED, message);
            // It may be this bucket or account, from a call whose answer was lost, and may be removed in the store.
            case ALREADY_EXISTS -> DriverErrorTable.retried(ProvisionerReason.ALREADY_EXISTS, message);
            default -> DriverErrorTable.temporary(status.getCode(), message);
        };
    }
}
