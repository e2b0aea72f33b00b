package io.bucketwright.cosi.driver;

import io.bucketwright.cosi.wire.CosiError;
import io.bucketwright.cosi.wire.Operation;
import io.bucketwright.store.StoreCall;
import io.bucketwright.store.errors.StoreException;
import io.grpc.Context;
import io.grpc.Status.Code;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.StreamObserver;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Answers RPCs: each gets a {@link StoreCall} that ends when its caller cancels it, and each failure becomes an error. */
final class RpcAnswers {

    private static final Logger LOG = LoggerFactory.getLogger(RpcAnswers.class);

    /** A call may take as long as the store needs; the sidecar waits at most that long. */
    static final Duration LONGEST = Duration.ofMinutes(10);

    private RpcAnswers() {}

    static <R> void answer(Operation operation, StreamObserver<R> observer, Function<StoreCall, R> act) {
        Context context = Context.current();
        StoreCall call = StoreCall.within(limit(context));
        Context.CancellationListener cancel = _ -> call.cancel();
        context.addListener(cancel, Runnable::run);
        try {
            observer.onNext(act.apply(call));
            observer.onCompleted();
        } catch (StatusRuntimeException e) {
            observer.onError(e);
        } catch (StoreException e) {
            observer.onError(error(operation, e));
        } catch (RuntimeException e) {
            // The message may contain anything: it is logged here and not sent to the caller.
            LOG.error("{} failed with an unexpected exception", operation, e);
            observer.onError(CosiError.internal(operation).exception("Internal error of the driver. See its log."));
        } finally {
            context.removeListener(cancel);
        }
    }

    private static Duration limit(Context context) {
        return Optional.ofNullable(context.getDeadline())
                .map(deadline -> Duration.ofNanos(Math.max(0, deadline.timeRemaining(TimeUnit.NANOSECONDS))))
                .filter(asked -> asked.compareTo(LONGEST) < 0)
                .orElse(LONGEST);
    }

    /** What a store refuses, as an error of the proposal. */
    private static StatusRuntimeException error(Operation operation, StoreException e) {
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
