package io.bucketwright.cosi.driver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import io.bucketwright.cosi.wire.CosiError;
import io.bucketwright.cosi.wire.Operation;
import io.bucketwright.store.AdministratorSecret;
import io.bucketwright.store.errors.StoreException;
import io.bucketwright.store.errors.StoreException.Denied;
import io.bucketwright.store.errors.StoreException.Invalid;
import io.bucketwright.store.errors.StoreException.NotEmpty;
import io.bucketwright.store.errors.StoreException.NotFound;
import io.bucketwright.store.errors.StoreException.Taken;
import io.bucketwright.store.errors.StoreException.Unavailable;
import io.bucketwright.store.errors.StoreException.Unsupported;
import io.grpc.Context;
import io.grpc.Status.Code;
import io.grpc.StatusRuntimeException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Whose credentials are used, and what becomes of what the store refuses. */
class RpcAnswersTest extends DriverAtSocket {

    @Test
    void credentialsOfTheRequestAreUsedInsteadOfTheDriversOwn() {
        stub().createBucket(create().build());
        stub().createBucket(create().putSecrets("key", "theirs").build());
        stub().createBucket(create().putSecrets("key", "others").build());
        stub().createBucket(create().putSecrets("key", "theirs").build());
        stub().createBucket(create().build());

        assertThat(store.administrators)
                .as("each is opened once, though they take turns")
                .containsExactly(
                        new AdministratorSecret(RecordingStore.secret("own")),
                        new AdministratorSecret(RecordingStore.secret("theirs")),
                        new AdministratorSecret(RecordingStore.secret("others")));
    }

    @Test
    void theDriversOwnCredentialsMayChangeWhileItRuns() {
        stub().createBucket(create().build());
        own.set(new AdministratorSecret(RecordingStore.secret("newer")));
        stub().createBucket(create().build());

        assertThat(store.administrators).last().isEqualTo(new AdministratorSecret(RecordingStore.secret("newer")));
        assertThat(store.closed).hasValue(1);
    }

    static Stream<Arguments> refusals() {
        return Stream.of(
                arguments(new Invalid("No."), CosiError.CREATE_INVALID_ARGUMENT, Code.INVALID_ARGUMENT),
                arguments(new Unsupported("No."), CosiError.GRANT_INVALID_ARGUMENT, Code.INVALID_ARGUMENT),
                arguments(new Denied("No."), CosiError.CREATE_INVALID_CREDENTIALS, Code.UNAUTHENTICATED),
                arguments(new Denied("No."), CosiError.DELETE_INVALID_CREDENTIALS, Code.UNAUTHENTICATED),
                arguments(new Denied("No."), CosiError.GRANT_INVALID_CREDENTIALS, Code.UNAUTHENTICATED),
                arguments(new Denied("No."), CosiError.REVOKE_INVALID_CREDENTIALS, Code.UNAUTHENTICATED),
                arguments(new Taken("No."), CosiError.CREATE_ALREADY_EXISTS, Code.ALREADY_EXISTS),
                arguments(new Taken("No."), CosiError.DELETE_INVALID_ARGUMENT, Code.FAILED_PRECONDITION),
                arguments(new Taken("No."), CosiError.GRANT_INVALID_PRINCIPAL, Code.FAILED_PRECONDITION),
                arguments(new NotFound("No."), CosiError.GRANT_BUCKET_DOESNOT_EXIST, Code.NOT_FOUND),
                arguments(new NotEmpty("No."), CosiError.DELETE_INTERNAL_ERROR, Code.INTERNAL),
                arguments(new Unavailable("No."), CosiError.CREATE_INTERNAL_ERROR, Code.UNAVAILABLE),
                arguments(new Unavailable("No."), CosiError.REVOKE_INTERNAL_ERROR, Code.UNAVAILABLE));
    }

    @ParameterizedTest
    @MethodSource("refusals")
    void whatTheStoreRefusesHasANameInTheProposal(StoreException thrown, CosiError name, Code code) {
        store.happens = _ -> {
            throw thrown;
        };

        assertThatThrownBy(() -> call(name.operation())).isInstanceOfSatisfying(StatusRuntimeException.class, e -> {
            assertThat(CosiError.named(e)).contains(name);
            assertThat(e.getStatus().getCode()).isEqualTo(code);
            assertThat(e.getStatus().getDescription()).isEqualTo("No.");
        });
    }

    @Test
    void whatNobodyThoughtOfStaysInTheDriversLog() {
        store.happens = _ -> {
            throw new IllegalStateException("the password is hunter2");
        };

        assertRefused(CosiError.CREATE_INTERNAL_ERROR, () -> stub().createBucket(create().build()))
                .doesNotContain("hunter2");
    }

    @Test
    void aCallerThatCancelsEndsTheCallToTheStore() {
        Context.CancellableContext caller = Context.current().withCancellation();
        AtomicBoolean ended = new AtomicBoolean();
        store.happens = call -> {
            caller.cancel(null);
            await().until(call::cancelled);
            ended.set(true);
        };
        assertThatThrownBy(() -> caller.run(() -> stub().createBucket(create().build())))
                .hasMessageContaining("CANCELLED");
        await().untilTrue(ended);
    }

    private void call(Operation operation) {
        Object _ = switch (operation) {
            case CREATE -> stub().createBucket(create().build());
            case DELETE -> stub().deleteBucket(delete().build());
            case GRANT -> stub().grantBucketAccess(grant().build());
            case REVOKE -> stub().revokeBucketAccess(revoke(IDS).build());
        };
    }
}
