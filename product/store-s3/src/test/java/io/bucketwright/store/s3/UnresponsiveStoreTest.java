package io.bucketwright.store.s3;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.bucketwright.store.CompleteStore;
import io.bucketwright.store.StoreCall;
import io.bucketwright.store.access.BucketName;
import io.bucketwright.store.errors.StoreException.Unavailable;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.core.interceptor.Context;
import software.amazon.awssdk.core.interceptor.ExecutionAttributes;
import software.amazon.awssdk.core.interceptor.ExecutionInterceptor;
import software.amazon.awssdk.http.SdkHttpRequest;

/** A store that accepts connections and never responds: what the contract does not test. */
final class UnresponsiveStoreTest {

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
        try (ServerSocket server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
                CompleteStore late = LoopbackServer.open(
                        "http://127.0.0.1:" + server.getLocalPort(), Map.of("readTimeout", "60s"), stopped)) {
            server.setSoTimeout(500);
            StoreCall call = StoreCall.within(Duration.ofMinutes(1), permitted::get);
            assertThatThrownBy(() -> late.usage(call, new BucketName("silent")))
                    .isInstanceOf(Unavailable.class)
                    .hasMessageContaining("another process may be the leader");
            assertThatThrownBy(server::accept).isInstanceOf(SocketTimeoutException.class);
        }
    }
}
