package io.bucketwright.cosi.sidecar.dialect;

import com.google.protobuf.Message;
import io.bucketwright.api.cosi.status.ProvisionerReason;
import io.bucketwright.cosi.sidecar.driver.DriverAnswer;
import io.bucketwright.cosi.sidecar.driver.DriverMethod;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;

/**
 * The errors of {@code sigs.k8s.io.cosi.v1alpha2}. Its calls must be idempotent, so ALREADY_EXISTS means a bucket or an
 * account with other parameters.
 */
final class V1alpha2Errors implements DriverErrorTable {

    @Override
    public <T> DriverAnswer<T> answer(String driver, DriverMethod method, StatusRuntimeException e, Message request) {
        Status status = e.getStatus();
        String message = "Driver " + driver + " answered " + rpc(method) + " with " + status.getCode() + ": "
                + DriverErrors.message(status, request);
        return switch (status.getCode()) {
            case NOT_FOUND ->
                method.isRemoval()
                        ? new DriverAnswer.AlreadyRemoved<>()
                        : DriverErrorTable.retried(ProvisionerReason.BUCKET_DOES_NOT_EXIST, message);
            case ABORTED -> new DriverAnswer.Pending<>(DriverAnswer.IN_PROGRESS_DELAY);
            case INVALID_ARGUMENT -> DriverErrorTable.rejected(method, ProvisionerReason.INVALID_ARGUMENT, message);
            case ALREADY_EXISTS -> DriverErrorTable.rejected(method, ProvisionerReason.ALREADY_EXISTS, message);
            case UNIMPLEMENTED -> DriverErrorTable.rejected(method, ProvisionerReason.UNIMPLEMENTED, message);
            case OUT_OF_RANGE ->
                method == DriverMethod.GRANT_ACCESS
                        ? DriverErrorTable.rejected(
                                method,
                                ProvisionerReason.INVALID_ARGUMENT,
                                message + " This code means that the driver cannot grant one account access to several"
                                        + " buckets.")
                        : DriverErrorTable.retried(ProvisionerReason.INVALID_ARGUMENT, message);
            default -> DriverErrorTable.temporary(status.getCode(), message);
        };
    }
}
