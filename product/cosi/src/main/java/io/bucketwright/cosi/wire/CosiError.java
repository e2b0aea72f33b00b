package io.bucketwright.cosi.wire;

import com.google.protobuf.Any;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.rpc.ErrorInfo;
import io.grpc.Status;
import io.grpc.Status.Code;
import io.grpc.StatusRuntimeException;
import io.grpc.protobuf.StatusProto;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * The errors of the proposal and their gRPC codes, for client and server. The name is sent as the reason of an {@link
 * ErrorInfo}; an error without a name is identified by its code.
 */
public enum CosiError {
    CREATE_INVALID_ARGUMENT(Operation.CREATE, Meaning.CHANGE_NEEDED, Travels.ARGUMENT),
    CREATE_INVALID_PROTOCOL(Operation.CREATE, Meaning.CHANGE_NEEDED, Travels.ARGUMENT),
    CREATE_ALREADY_EXISTS(Operation.CREATE, Meaning.CHANGE_NEEDED, Travels.EXISTS),
    CREATE_INVALID_CREDENTIALS(Operation.CREATE, Meaning.TRY_AGAIN, Travels.CREDENTIALS),
    CREATE_INTERNAL_ERROR(Operation.CREATE, Meaning.TRY_AGAIN, Travels.INTERNAL),

    DELETE_INVALID_ARGUMENT(Operation.DELETE, Meaning.CHANGE_NEEDED, Travels.ARGUMENT),
    DELETE_BUCKET_DOESNOT_EXIST(Operation.DELETE, Meaning.DONE, Travels.NOT_FOUND),
    DELETE_DELETE_INPROGRESS(Operation.DELETE, Meaning.IN_PROGRESS, Travels.IN_PROGRESS),
    DELETE_INVALID_CREDENTIALS(Operation.DELETE, Meaning.TRY_AGAIN, Travels.CREDENTIALS),
    DELETE_INTERNAL_ERROR(Operation.DELETE, Meaning.TRY_AGAIN, Travels.INTERNAL),

    GRANT_INVALID_ARGUMENT(Operation.GRANT, Meaning.CHANGE_NEEDED, Travels.ARGUMENT),
    GRANT_INVALID_PRINCIPAL(Operation.GRANT, Meaning.CHANGE_NEEDED, Travels.ARGUMENT),
    GRANT_BUCKET_DOESNOT_EXIST(Operation.GRANT, Meaning.TRY_AGAIN, Travels.NOT_FOUND),
    GRANT_INVALID_CREDENTIALS(Operation.GRANT, Meaning.TRY_AGAIN, Travels.CREDENTIALS),
    GRANT_INTERNAL_ERROR(Operation.GRANT, Meaning.TRY_AGAIN, Travels.INTERNAL),

    REVOKE_INVALID_ARGUMENT(Operation.REVOKE, Meaning.CHANGE_NEEDED, Travels.ARGUMENT),
    REVOKE_INVALID_PRINCIPAL(Operation.REVOKE, Meaning.CHANGE_NEEDED, Travels.ARGUMENT),
    REVOKE_BUCKET_DOESNOT_EXIST(Operation.REVOKE, Meaning.DONE, Travels.NOT_FOUND),
    REVOKE_INVALID_CREDENTIALS(Operation.REVOKE, Meaning.TRY_AGAIN, Travels.CREDENTIALS),
    REVOKE_INTERNAL_ERROR(Operation.REVOKE, Meaning.TRY_AGAIN, Travels.INTERNAL);

    /** The domain of the names in an {@link ErrorInfo}. */
    public static final String DOMAIN = "cosi.io";

    /** What an error means for the caller. */
    public enum Meaning {
        /** What was to be removed does not exist: a success. */
        DONE,
        /** The driver is still working: call again soon. */
        IN_PROGRESS,
        /** The same call may succeed later: retry with back-off. */
        TRY_AGAIN,
        /** The same call fails until somebody changes something. */
        CHANGE_NEEDED
    }

    private final Operation operation;
    private final Meaning meaning;
    private final Travels travels;

    CosiError(Operation operation, Meaning meaning, Travels travels) {
        this.operation = operation;
        this.meaning = meaning;
        this.travels = travels;
    }

    public Operation operation() {
        return operation;
    }

    public Meaning meaning() {
        return meaning;
    }

    /** The code that Bucketwright sends. */
    public Code code() {
        return travels.codes().getFirst();
    }

    /** Whether a driver may send it under this code. */
    public boolean mayTravelAs(Code code) {
        return travels.codes().contains(code);
    }

    /**
     * The error as a driver returns it.
     *
     * @param message whole sentences for people: what happened, to what, and what to do. Never a secret
     */
    public StatusRuntimeException exception(String message) {
        return exception(code(), message);
    }

    /** The error as a driver returns it, with another of its codes. */
    public StatusRuntimeException exception(Code code, String message) {
        if (!mayTravelAs(code)) {
            throw new IllegalArgumentException(name() + " does not travel as " + code);
        }
        return StatusProto.toStatusRuntimeException(com.google.rpc.Status.newBuilder()
                .setCode(code.value())
                .setMessage(message)
                .addDetails(Any.pack(ErrorInfo.newBuilder()
                        .setReason(name())
                        .setDomain(DOMAIN)
                        .build()))
                .build());
    }

    /**
     * The error that a driver returned: by its name if that belongs to the operation, otherwise by its code. A code that
     * the proposal does not use is an internal error, which is retried.
     */
    public static CosiError of(Operation operation, Throwable failure) {
        return named(failure)
                .filter(error -> error.operation == operation)
                .orElseGet(() -> byCode(operation, Status.fromThrowable(failure).getCode()));
    }

    /** The name in the error, if it is one of the proposal. */
    public static Optional<CosiError> named(Throwable failure) {
        return Optional.ofNullable(StatusProto.fromThrowable(failure)).stream()
                .flatMap(status -> status.getDetailsList().stream())
                .filter(detail -> detail.is(ErrorInfo.class))
                .map(CosiError::unpack)
                .filter(info -> info.getDomain().equals(DOMAIN))
                .flatMap(info ->
                        Arrays.stream(values()).filter(error -> error.name().equals(info.getReason())))
                .findFirst();
    }

    /** The error of an operation that has such a meaning, for those that every operation has. */
    public static CosiError byCode(Operation operation, Code code) {
        return of(operation).stream()
                .filter(error -> error.mayTravelAs(code))
                .findFirst()
                .orElseGet(() -> internal(operation));
    }

    public static CosiError internal(Operation operation) {
        return byCode(operation, Code.INTERNAL);
    }

    /** All errors that an operation can have. */
    public static List<CosiError> of(Operation operation) {
        return Arrays.stream(values())
                .filter(error -> error.operation == operation)
                .toList();
    }

    private static ErrorInfo unpack(Any detail) {
        try {
            return detail.unpack(ErrorInfo.class);
        } catch (InvalidProtocolBufferException e) {
            // Not readable: the code decides.
            return ErrorInfo.getDefaultInstance();
        }
    }

    /** The gRPC codes of each kind of error; the first is the one that Bucketwright sends. */
    private enum Travels {
        ARGUMENT,
        EXISTS,
        NOT_FOUND,
        IN_PROGRESS,
        CREDENTIALS,
        INTERNAL;

        List<Code> codes() {
            return switch (this) {
                case ARGUMENT ->
                    List.of(Code.INVALID_ARGUMENT, Code.FAILED_PRECONDITION, Code.OUT_OF_RANGE, Code.UNIMPLEMENTED);
                case EXISTS -> List.of(Code.ALREADY_EXISTS);
                case NOT_FOUND -> List.of(Code.NOT_FOUND);
                case IN_PROGRESS -> List.of(Code.ABORTED);
                case CREDENTIALS -> List.of(Code.UNAUTHENTICATED, Code.PERMISSION_DENIED);
                case INTERNAL ->
                    List.of(
                            Code.INTERNAL,
                            Code.UNAVAILABLE,
                            Code.UNKNOWN,
                            Code.DEADLINE_EXCEEDED,
                            Code.RESOURCE_EXHAUSTED,
                            Code.CANCELLED,
                            Code.DATA_LOSS);
            };
        }
    }
}
