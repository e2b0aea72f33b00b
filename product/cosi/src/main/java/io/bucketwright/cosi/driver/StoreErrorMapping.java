package io.bucketwright.cosi.driver;

import io.bucketwright.cosi.wire.CosiError;
import io.bucketwright.cosi.wire.Operation;
import io.bucketwright.store.errors.StoreException;
import io.grpc.Status.Code;
import io.grpc.StatusRuntimeException;

/** Maps exceptions of a store to errors of the COSI proposal. */
final class StoreErrorMapping {

    private StoreErrorMapping() {}

    static StatusRuntimeException of(Operation operation, StoreException e) {
        String message = String.valueOf(e.getMessage());
        return switch (e) {
            case StoreException.Invalid _, StoreException.Unsupported _ ->
                argument(operation).exception(message);
            case StoreException.Denied _ ->
                CosiError.byCode(operation, Code.UNAUTHENTICATED).exception(message);
            case StoreException.Taken _ ->
                taken(operation)
                        .exception(
                                operation == Operation.CREATE ? Code.ALREADY_EXISTS : Code.FAILED_PRECONDITION,
                                message);
            case StoreException.NotFound _ ->
                CosiError.byCode(operation, Code.NOT_FOUND).exception(message);
            case StoreException.NotEmpty _ -> CosiError.internal(operation).exception(message);
            case StoreException.Unavailable _ -> CosiError.internal(operation).exception(Code.UNAVAILABLE, message);
        };
    }

    static CosiError argument(Operation operation) {
        return CosiError.byCode(operation, Code.INVALID_ARGUMENT);
    }

    /** A bucket of another owner is never reported as deleted: its data is still there, and so are its accounts. */
    private static CosiError taken(Operation operation) {
        return switch (operation) {
            case CREATE -> CosiError.CREATE_ALREADY_EXISTS;
            case DELETE -> CosiError.DELETE_INVALID_ARGUMENT;
            case GRANT -> CosiError.GRANT_INVALID_PRINCIPAL;
            case REVOKE -> CosiError.REVOKE_INVALID_PRINCIPAL;
        };
    }
}
