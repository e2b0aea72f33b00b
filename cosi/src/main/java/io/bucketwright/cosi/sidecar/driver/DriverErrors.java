package io.bucketwright.cosi.sidecar.driver;





import com.google.protobuf.MessageOrBuilder;
import io.bucketwright.cosi.wire.CosiError;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;

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

    private static String reason(CosiError error, Status status) {
        return switch (status.getCode()) {
            case DEADLINE_EXCEEDED -> "DriverTooSlow";
            case UNAVAILABLE -> "DriverUnavailable";
            case UNIMPLEMENTED -> "Unimplemented";
            default ->
                Arrays.stream(error.name().split("_"))
                        .skip(1)
                        .map(word -> word.charAt(0) + word.substring(1).toLowerCase(Locale.ROOT))
                        .collect(Collectors.joining());
        };
    }
}
