package io.bucketwright.runtime.connection;

import io.bucketwright.runtime.keepalive.TrackedWatch;
import io.fabric8.kubernetes.client.RequestConfig;
import io.fabric8.kubernetes.client.http.AsyncBody;
import io.fabric8.kubernetes.client.http.HttpRequest;
import io.fabric8.kubernetes.client.http.HttpResponse;
import io.fabric8.kubernetes.client.http.Interceptor;
import io.fabric8.kubernetes.client.http.StandardHttpClient;
import io.fabric8.kubernetes.client.http.StandardHttpRequest;
import io.fabric8.kubernetes.client.http.StandardWebSocketBuilder;
import io.fabric8.kubernetes.client.http.WebSocket;
import io.fabric8.kubernetes.client.http.WebSocketHandshakeException;
import io.fabric8.kubernetes.client.http.WebSocketResponse;
import io.fabric8.kubernetes.client.http.WebSocketUpgradeResponse;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/** The HTTP client that fabric8 and the writers of this process share. */
final class BlockingHttpClient
        extends StandardHttpClient<BlockingHttpClient, BlockingClientFactory, BlockingClientBuilder> {

    private static final AsyncBody.Consumer<List<ByteBuffer>> READ_ALREADY = (_, _) -> {};

    private final RequestSender sender;
    private final Executor executor;

    BlockingHttpClient(BlockingClientBuilder builder, RequestSender sender, Executor executor, AtomicBoolean closed) {
        super(builder, closed);
        this.sender = sender;
        this.executor = executor;
    }

    RequestSender sender() {
        return sender;
    }

    @Override
    public void doClose() {
        sender.pool().close();
    }

    /**
     * Requests that are not repeated are sent by the calling thread, and the future is complete when this returns. All others
     * take the way of fabric8, which repeats them.
     */
    @Override
    @SuppressWarnings("unchecked") // the class says so
    public <V> CompletableFuture<HttpResponse<V>> sendAsync(HttpRequest request, Class<V> type) {
        if (type != byte[].class || !isSentOnce()) {
            return super.sendAsync(request, type);
        }
        // One builder for all interceptors: fabric8 builds a request, with a new random id, after each of them.
        StandardHttpRequest.Builder changed = ((StandardHttpRequest) request).newBuilder();
        for (Interceptor interceptor : interceptors()) {
            interceptor.before(changed, request, this);
        }
        StandardHttpRequest outgoing = changed.build();
        CompletableFuture<?> response = send(outgoing, interceptors().iterator(), check(outgoing), limits(outgoing));
        return (CompletableFuture<HttpResponse<V>>) response;
    }

    private Runnable check(HttpRequest request) {
        List<Runnable> checks = new ArrayList<>(1);
        for (Interceptor interceptor : interceptors()) {
            if (interceptor instanceof SendCheck check) {
                checks.add(check.prepare(request));
            }
        }
        return () -> checks.forEach(Runnable::run);
    }

    private RequestSender.Limits limits(StandardHttpRequest request) {
        return sender.limits(request.method(), timeout(request));
    }

    private boolean isSentOnce() {
        @Nullable RequestConfig config = getTag(RequestConfig.class);
        return config != null
                && Integer.valueOf(0).equals(config.getRequestRetryBackoffLimit())
                // It wants to see the parts of the body.
                && !builder.getInterceptors().containsKey("HttpLogging");
    }

    private Iterable<Interceptor> interceptors() {
        return builder.getInterceptors().values();
    }

    /**
     * Sends a request.
     *
     * @param left the interceptors that may still have it repeated, each of them once
     * @param check runs directly before the bytes leave
     */
    private CompletableFuture<HttpResponse<byte[]>> send(
            StandardHttpRequest request, Iterator<Interceptor> left, Runnable check, RequestSender.Limits limits) {
        try {
            HttpResponse<byte[]> response = sender.exchange(request, EncodedRequest.of(request, null, check), limits);
            for (Interceptor interceptor : interceptors()) {
                interceptor.after(request, response, READ_ALREADY);
            }
            return response.isSuccessful()
                    ? CompletableFuture.completedFuture(response)
                    : afterFailure(left, request.newBuilder(), response, check, limits);
        } catch (IOException e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    /**
     * An interceptor may have the request repeated, for example with a token that it has read again. The check is the
     * same, and the deadline of a change, too.
     */
    private CompletableFuture<HttpResponse<byte[]>> afterFailure(
            Iterator<Interceptor> left,
            StandardHttpRequest.Builder copy,
            HttpResponse<byte[]> response,
            Runnable check,
            RequestSender.Limits limits) {
        if (!left.hasNext()) {
            return CompletableFuture.completedFuture(response);
        }
        return left.next().afterFailure(copy, response, this).thenCompose(again -> {
            if (!Boolean.TRUE.equals(again)) {
                return afterFailure(left, copy, response, check, limits);
            }
            // Whoever says so may do it in the thread of a timer.
            StandardHttpRequest repeated = copy.build();
            return CompletableFuture.completedFuture(repeated)
                    .thenComposeAsync(
                            request -> send(
                                    request, left, check, request.method().equals("GET") ? limits(request) : limits),
                            executor);
        });
    }

    private static Duration timeout(StandardHttpRequest request) {
        @Nullable Duration timeout = request.getTimeout();
        return timeout == null || timeout.isNegative() ? Duration.ZERO : timeout;
    }

    private static ReadTimeout untilHead(StandardHttpRequest request) {
        Duration timeout = timeout(request);
        return timeout.isZero() ? ReadTimeout.none() : ReadTimeout.within(timeout);
    }

    @Override
    public CompletableFuture<HttpResponse<AsyncBody>> consumeBytesDirect(
            StandardHttpRequest request, AsyncBody.Consumer<List<ByteBuffer>> consumer) {
        CompletableFuture<HttpResponse<AsyncBody>> response = new CompletableFuture<>();
        try {
            EncodedRequest encoded = EncodedRequest.of(request, getTag(TrackedWatch.class), check(request));
            StreamedBody body = new StreamedBody(sender, encoded, consumer);
            var _ = response.whenComplete((_, failure) -> {
                if (failure instanceof CancellationException) {
                    body.cancel();
                }
            });
            executor.execute(() -> body.run(request, untilHead(request), response));
        } catch (IOException | RuntimeException e) {
            response.completeExceptionally(e);
        }
        return response;
    }

    @Override
    public CompletableFuture<WebSocketResponse> buildWebSocketDirect(
            StandardWebSocketBuilder wanted, WebSocket.Listener listener) {
        CompletableFuture<WebSocketResponse> response = new CompletableFuture<>();
        try {
            executor.execute(() -> watch(wanted, listener, response));
        } catch (RuntimeException e) {
            response.completeExceptionally(e);
        }
        return response;
    }

    private void watch(
            StandardWebSocketBuilder wanted,
            WebSocket.Listener listener,
            CompletableFuture<WebSocketResponse> response) {
        WatchSocket socket;
        try {
            StandardHttpRequest request = wanted.asHttpRequest();
            Handshake handshake = Handshake.of(builder.getClientFactory().random());
            @Nullable TrackedWatch tagged = getTag(TrackedWatch.class);
            TrackedWatch tracked = tagged == null ? sender.monitor().activity().track() : tagged;
            EncodedRequest encoded = EncodedRequest.upgrade(request, handshake.key(), wanted.getSubprotocol(), tracked);
            RequestSender.Exchange exchange = sender.open(encoded, untilHead(request), _ -> {});
            WebSocketUpgradeResponse upgrade = new WebSocketUpgradeResponse(
                    request, exchange.head().code(), exchange.head().headers());
            if (exchange.head().code() != 101) {
                exchange.connection().close();
                response.complete(new WebSocketResponse(upgrade, new WebSocketHandshakeException(upgrade)));
                return;
            }
            handshake.check(exchange);
            socket = new WatchSocket(
                    tracked,
                    exchange.connection(),
                    new WebSocketFrames(
                            exchange.connection(), builder.getClientFactory().random()),
                    listener,
                    sender.monitor());
            socket.open();
            if (!response.complete(new WebSocketResponse(upgrade, socket))) {
                var _ = socket.sendClose(1000, null);
            }
        } catch (Throwable e) {
            // Also an Error: whoever waits for the response must learn of it.
            response.completeExceptionally(e);
            return;
        }
        socket.read();
    }
}
