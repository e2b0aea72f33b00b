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

/** The response of a driver to one call. */
sealed interface RpcResult<R> {

    record Done<R>(R response) implements RpcResult<R> {}

    /**
     * The call failed.
     *
     * @param error by the name that the driver sent, or else by the code
     * @param name that the driver sent
     */
    record Refused<R>(CosiError error, Optional<CosiError> name, Code code, String message) implements RpcResult<R> {

        /** On one line. */
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

    /** The response, or the check has failed. */
    default R require(String what) {
        return switch (this) {
            case Done<R> done -> done.response();
            case Refused<R> refused -> throw new CheckFailed(what + " was refused: " + refused.shown());
        };
    }

    /** The call failed with one of these errors, or the check has failed. */
    default void requireRefused(String what, CosiError... allowed) {
        List<CosiError> expected = List.of(allowed);
        switch (this) {
            case Done<R> _ -> throw new CheckFailed(what + " was accepted, expected one of " + expected + ".");
            case Refused<R> refused ->
                SanityCheck.require(
                        expected.contains(refused.error()),
                        what + " was refused with " + refused.shown() + ", expected one of " + expected + ".");
        }
    }

    default void requireDoneOrRefused(String what, CosiError... allowed) {
        if (this instanceof Refused<R>) {
            requireRefused(what, allowed);
        }
    }

    /** The call succeeded, or failed because there was nothing left to do. */
    default void requireEnded(String what) {
        if (this instanceof Refused<R> refused) {
            SanityCheck.require(refused.error().meaning() == Meaning.DONE, what + " was refused: " + refused.shown());
        }
    }
}
