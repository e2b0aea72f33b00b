package io.bucketwright.store.s3;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.bucketwright.store.AdministratorSecret;
import io.bucketwright.store.BucketStore;
import io.bucketwright.store.StoreCall;
import io.bucketwright.store.access.BucketName;
import io.bucketwright.store.connection.SecretValue;
import io.bucketwright.store.errors.StoreException.Unavailable;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A store that accepts connections and never responds must not block its callers. */
final class UnresponsiveStoreTest {

    private static final Duration SOON = Duration.ofSeconds(3);

    private final ServerSocket server;
    private final BucketStore store;
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();

    UnresponsiveStoreTest() throws IOException {
        server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        S3StoreFactory factory = new S3StoreFactory();
        store = factory.open(
                factory.parameters().parse(Map.of("endpoint", "http://127.0.0.1:" + server.getLocalPort())),
                new AdministratorSecret(
                        Map.of("accessKeyId", SecretValue.of("id"), "secretAccessKey", SecretValue.of("secret"))));
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
        StoreCall call = StoreCall.within(Duration.ofMinutes(1));
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

    private Future<?> send(StoreCall call) {
        return threads.submit(() -> store.usage(call, new BucketName("silent")));
    }
}
