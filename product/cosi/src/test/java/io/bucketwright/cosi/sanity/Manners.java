package io.bucketwright.cosi.sanity;

import com.google.protobuf.Message;
import io.bucketwright.cosi.wire.CosiError;
import io.grpc.Status;
import io.grpc.Status.Code;
import io.grpc.StatusRuntimeException;
import io.grpc.protobuf.StatusProto;
import io.grpc.stub.StreamObserver;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.function.Supplier;

/** How a driver answers, and how it spoils its errors. */
record Manners(Optional<Fault> fault) {

    <R extends Message> void answer(StreamObserver<R> observer, Map<String, String> secrets, Supplier<R> work) {
        try {
            observer.onNext(work.get());
            observer.onCompleted();
        } catch (StatusRuntimeException e) {
            observer.onError(spoiled(e, secrets));
        }
    }

    /** The response of a well-behaved driver. */
    static <Q, R> R ask(BiConsumer<Q, StreamObserver<R>> method, Q request) {
        List<R> answers = new ArrayList<>();
        List<StatusRuntimeException> errors = new ArrayList<>();
        method.accept(request, new StreamObserver<>() {
            @Override
            public void onNext(R value) {
                answers.add(value);
            }

            @Override
            public void onError(Throwable error) {
                errors.add((StatusRuntimeException) error);
            }

            @Override
            public void onCompleted() {}
        });
        if (!errors.isEmpty()) {
            throw errors.getFirst();
        }
        return answers.getFirst();
    }

    private StatusRuntimeException spoiled(StatusRuntimeException e, Map<String, String> secrets) {
        String message = Objects.requireNonNullElse(e.getStatus().getDescription(), "");
        Code code = e.getStatus().getCode();
        CosiError name = CosiError.named(e).orElseThrow();
        return switch (fault.orElse(Fault.ILLEGAL_NAME)) {
            case ERRORS_WITHOUT_NAMES ->
                Status.fromCode(code).withDescription(message).asRuntimeException();
            case ERRORS_WITHOUT_MESSAGES -> name.exception(code, "");
            case ERRORS_THAT_QUOTE_SECRETS -> name.exception(code, message + secrets);
            case ERRORS_WITH_WRONG_CODES ->
                StatusProto.toStatusRuntimeException(Objects.requireNonNull(StatusProto.fromThrowable(e)).toBuilder()
                        .setCode(Code.DATA_LOSS.value())
                        .build());
            default -> e;
        };
    }
}
