package io.bucketwright.cosi.sidecar.driver;





import io.bucketwright.api.cosi.ProvisionerReason;
import com.google.protobuf.MessageOrBuilder;
import io.bucketwright.cosi.wire.CosiError;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;

/** What a driver's error means for the object it was about, by the table of {@link CosiError} and no other. */
public final class DriverErrors {

    private DriverErrors() {}

    public static <R> DriverAnswer<R> of(String driver, DriverMethod method, StatusRuntimeException e, MessageOrBuilder request) {
        CosiError error = CosiError.of(method.operation(), e);
        Status status = e.getStatus();
        String message = "Driver " + driver + " answered " + method.wireName() + " with " + status.getCode()
                + CosiError.named(e).map(name -> " (" + name + ")").orElse("") + ": " + DriverErrorText.of(status, request);
        return switch (error.meaning()) {
            case DONE -> new DriverAnswer.SoAlready<>();
            case IN_PROGRESS -> new DriverAnswer.InProgress<>();
            case TRY_AGAIN -> new DriverAnswer.Refused<>(Trouble.passing(method, reason(error, status), message));
            // What is to go is not edited any more: whatever is wrong is put right elsewhere, so it is tried again.
            case CHANGE_NEEDED ->
                new DriverAnswer.Refused<>(
                        new Trouble(method.eventReason(), reason(error, status), message, !method.undoes()));
        };
    }

    private static ProvisionerReason reason(CosiError error, Status status) {
        return switch (status.getCode()) {
            case DEADLINE_EXCEEDED -> ProvisionerReason.DRIVER_TIMEOUT;
            case UNAVAILABLE -> ProvisionerReason.DRIVER_UNAVAILABLE;
            case UNIMPLEMENTED -> ProvisionerReason.UNIMPLEMENTED;
            default ->
                switch (error) {
                    case CREATE_INVALID_ARGUMENT,
                            DELETE_INVALID_ARGUMENT,
                            GRANT_INVALID_ARGUMENT,
                            REVOKE_INVALID_ARGUMENT -> ProvisionerReason.INVALID_ARGUMENT;
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
        };
    }
}
