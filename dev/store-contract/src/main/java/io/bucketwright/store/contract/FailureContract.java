package io.bucketwright.store.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.bucketwright.store.BucketStore;
import io.bucketwright.store.DeleteRequest;
import io.bucketwright.store.GrantRequest;
import io.bucketwright.store.OnNotEmpty;
import io.bucketwright.store.StoreCall;
import io.bucketwright.store.access.Access;
import io.bucketwright.store.access.BucketName;
import io.bucketwright.store.access.BucketOwner;
import io.bucketwright.store.connection.ProvisionedBucket;
import io.bucketwright.store.connection.SecretValue;
import io.bucketwright.store.errors.StoreException;
import io.bucketwright.store.errors.StoreException.Denied;
import io.bucketwright.store.errors.StoreException.Unavailable;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/** Tests errors and their messages. */
public interface FailureContract extends Contract {

    /** Long before a minute, after which a request ends. */
    Duration SOON = Duration.ofSeconds(20);

    @Test
    default void anUnreachableStoreIsUnavailable() {
        for (ThrowingCallable call : all(subject().unreachableStore())) {
            assertThatThrownBy(call).isInstanceOf(Unavailable.class);
        }
    }

    @Test
    default void aCallToAStoreThatNeverRespondsEndsAtItsDeadline() throws IOException {
        try (ServerSocket silent = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
                BucketStore store = storeAt(silent)) {
            StoreCall brief = StoreCall.within(Duration.ofMillis(300));
            long start = System.nanoTime();
            assertThatThrownBy(() -> store.revoke(brief, bucket(), owner())).isInstanceOf(Unavailable.class);
            assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(SOON);
        }
    }

    @Test
    default void aCancelledCallEndsWhileItsRequestIsInFlight() throws IOException {
        try (ServerSocket silent = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
                BucketStore store = storeAt(silent)) {
            StoreCall call = call();
            CompletableFuture<Void> response =
                    CompletableFuture.runAsync(() -> store.revoke(call, bucket(), owner()), Thread::startVirtualThread);
            try (Socket connected = silent.accept()) {
                assertThat(connected.getInputStream().read()).isNotNegative();
                long start = System.nanoTime();
                call.cancel();
                assertThatThrownBy(response::join)
                        .isInstanceOf(CompletionException.class)
                        .hasCauseInstanceOf(Unavailable.class);
                assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(SOON);
            }
        }
    }

    private BucketStore storeAt(ServerSocket server) {
        Optional<BucketStore> store = subject().storeAt("http://127.0.0.1:" + server.getLocalPort());
        assumeTrue(store.isPresent(), "the store has no address");
        return store.get();
    }

    @Test
    default void invalidCredentialsAreDenied() {
        for (ThrowingCallable call : all(subject().storeWithInvalidCredentials())) {
            assertThatThrownBy(call).isInstanceOf(Denied.class);
        }
    }

    @Test
    default void aCancelledOrExpiredCallCreatesNothing() {
        StoreCall cancelled = call();
        cancelled.cancel();
        for (StoreCall ended : List.of(cancelled, StoreCall.within(Duration.ZERO))) {
            assertThatThrownBy(() -> store().provision(ended, request(bucket(), owner(), Access.readWrite())))
                    .isInstanceOf(Unavailable.class);
        }
        assertThat(subject().bucketExists(bucket())).isFalse();
    }

    @Test
    default void noTextContainsASecret() {
        BucketName bucket = newBucket();
        BucketOwner owner = newOwner();
        ProvisionedBucket made = provision(bucket, owner);
        String id = Contract.keyId(made);
        List<String> secrets = made.credentials().values().values().stream()
                .map(SecretValue::reveal)
                .filter(value -> !value.equals(id))
                .toList();
        assertThat(secrets).isNotEmpty();
        assertThat(made.toString() + made.connection() + made.credentials() + made.state())
                .doesNotContain(secrets);
        StoreException taken = (StoreException) catchThrowable(() -> provision(bucket, newOwner()));
        StringWriter text = new StringWriter();
        taken.printStackTrace(new PrintWriter(text, true));
        assertThat(text.toString()).doesNotContain(secrets);
    }

    private List<ThrowingCallable> all(BucketStore store) {
        BucketName bucket = newBucket();
        BucketOwner owner = newOwner();
        return List.of(
                () -> store.provision(call(), request(bucket, owner, Access.readWrite())),
                () -> store.grant(call(), new GrantRequest(bucket, owner, Access.readWrite(), Set.of())),
                () -> store.delete(call(), new DeleteRequest(bucket, owner, OnNotEmpty.BLOCK)),
                () -> store.revoke(call(), bucket, owner));
    }
}
