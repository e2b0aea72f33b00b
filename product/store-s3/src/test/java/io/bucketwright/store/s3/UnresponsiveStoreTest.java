package io.bucketwright.store.s3;

import static io.bucketwright.store.contract.StoreRequests.call;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.bucketwright.store.CompleteStore;
import io.bucketwright.store.StoreCall;
import io.bucketwright.store.access.BucketName;
import io.bucketwright.store.errors.StoreException.Unavailable;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.core.interceptor.Context;
import software.amazon.awssdk.core.interceptor.ExecutionAttributes;
import software.amazon.awssdk.core.interceptor.ExecutionInterceptor;
import software.amazon.awssdk.http.SdkHttpRequest;

/** A store that accepts connections and never responds must not block its callers. */
final class UnresponsiveStoreTest {

    /** Long before a minute, after which requests and calls end at the latest. */
    private static final Duration SOON = Duration.ofSeconds(20);

    private final ServerSocket server;
    private final CompleteStore store;
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();

    UnresponsiveStoreTest() throws IOException {
        server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        store = open();
    }

    private CompleteStore open(ExecutionInterceptor... interceptors) {
        return LoopbackServer.open(
                "http://127.0.0.1:" + server.getLocalPort(), Map.of("readTimeout", "60s"), interceptors);
    }

    @AfterEach
    void close() throws IOException {
        server.close();
        threads.shutdownNow();
        store.close();
    }

    @Test
    void aCallEndsAtItsDeadline() {
        StoreCall call = StoreCall.within(Duration.ofMillis(300));
        long start = System.nanoTime();
        assertThatThrownBy(() -> send(call).get())
                .isInstanceOf(ExecutionException.class)
                .hasCauseInstanceOf(Unavailable.class);
        assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(SOON);
    }

    @Test
    void aCancelledCallEndsWhileItsRequestIsInFlight() throws IOException {
        StoreCall call = call();
        Future<?> response = send(call);
        try (Socket connected = server.accept()) {
            assertThat(connected.getInputStream().read()).isPositive();
            long start = System.nanoTime();
            call.cancel();
            assertThatThrownBy(response::get)
                    .isInstanceOf(ExecutionException.class)
                    .hasCauseInstanceOf(Unavailable.class);
            assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(SOON);
        }
    }

    /** A process that was stopped while it built the request is not the leader any more when it continues. */
    @Test
    void aRequestIsNotTransmittedOnceTheCallerMayNotSendIt() throws IOException {
        AtomicReference<Duration> permitted = new AtomicReference<>(Duration.ofMinutes(1));
        ExecutionInterceptor stopped = new ExecutionInterceptor() {
            @Override
            public SdkHttpRequest modifyHttpRequest(Context.ModifyHttpRequest context, ExecutionAttributes attributes) {
                permitted.set(Duration.ZERO);
                return context.httpRequest();
            }
        };
        server.setSoTimeout(500);
        try (CompleteStore late = open(stopped)) {
            StoreCall call = StoreCall.within(Duration.ofMinutes(1), permitted::get);
            assertThatThrownBy(() -> late.usage(call, new BucketName("silent")))
                    .isInstanceOf(Unavailable.class)
                    .hasMessageContaining("another process may be the leader");
            assertThatThrownBy(server::accept).isInstanceOf(SocketTimeoutException.class);
        }
    }

    private Future<?> send(StoreCall call) {
        return threads.submit(() -> store.usage(call, new BucketName("silent")));
    }
}
