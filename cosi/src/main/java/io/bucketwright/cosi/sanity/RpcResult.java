package io.bucketwright.cosi.sanity;

import io.bucketwright.cosi.sanity.SanityCheck.CheckFailed;
import io.bucketwright.cosi.wire.CosiError;
import io.bucketwright.cosi.wire.CosiError.Meaning;
import io.bucketwright.cosi.wire.Operation;
import io.grpc.Status;
import io.grpc.Status.Code;
import io.grpc.StatusRuntimeException;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/** What a driver said to one call. */
sealed interface RpcResult<R> {

    /** It did as asked. */
    record Done<R>(R response) implements RpcResult<R> {}

    /**
     * It refused.
     *
     * @param error what that means, by its name or else by its code
     * @param name what the driver itself called it, if it did
     */
    record Refused<R>(CosiError error, Optional<CosiError> name, Code code, String message) implements RpcResult<R> {

        /** For people, on one line. */
        String shown() {
            return name.map(CosiError::name).orElse("an error without a name") + ", " + code + " \""
                    + message.replaceAll("\\p{Cntrl}", " ") + "\"";
        }
    }

    static <R> RpcResult<R> of(Operation operation, Supplier<R> call) {
        try {
            return new Done<>(call.get());
        } catch (StatusRuntimeException e) {
            Status status = e.getStatus();
            String message = Optional.ofNullable(status.getDescription()).orElse("");
            return new Refused<>(CosiError.of(operation, e), CosiError.named(e), status.getCode(), message);
        }
    }

    /** The response, or else the check has failed. */
    default R require(String what) {
        return switch (this) {
            case Done<R> done -> done.response();
            case Refused<R> refused -> throw new CheckFailed(what + " was refused: " + refused.shown());
        };
    }

    /** Refused with one of these errors, or else the check has failed. */
    default Refused<R> requireRefused(String what, CosiError... allowed) {
        List<CosiError> expected = List.of(allowed);
        return switch (this) {
            case Done<R> _ -> throw new CheckFailed(what + " was done, and should be refused as " + expected + ".");
            case Refused<R> refused when expected.contains(refused.error()) -> refused;
            case Refused<R> refused ->
                throw new CheckFailed(what + " should be refused as " + expected + ", and was as: " + refused.shown());
        };
    }

    /** Done, or refused with what means that it was done before. */
    default void requireEnded(String what) {
        if (this instanceof Refused<R> refused && refused.error().meaning() != Meaning.DONE) {
            throw new CheckFailed(what + " was refused: " + refused.shown());
        }
    }

    default boolean isDone() {
        return this instanceof Done;
    }
}
