package io.bucketwright.runtime.keepalive;

import java.io.IOException;
import java.net.Authenticator;
import java.net.CookieHandler;
import java.net.HttpURLConnection;
import java.net.ProxySelector;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.WebSocket;
import java.net.http.WebSocketHandshakeException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executor;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import org.jspecify.annotations.Nullable;

/**
 * The HTTP client of the JDK, which neither pings nor notices a body that stops in the middle, with both. It also records
 * when the API server was last heard.
 */
final class MonitoredHttpClient extends HttpClient {

    private final HttpClient client;
    private final ConnectionMonitor monitor;
    private final ServerActivity activity;

    MonitoredHttpClient(HttpClient client, ConnectionMonitor monitor) {
        this.client = client;
        this.monitor = monitor;
        this.activity = monitor.activity();
    }

    @Override
    public <T> CompletableFuture<HttpResponse<T>> sendAsync(
            HttpRequest request, HttpResponse.BodyHandler<T> responseBodyHandler) {
        return client.sendAsync(request, monitored(request, responseBodyHandler));
    }

    @Override
    public <T> CompletableFuture<HttpResponse<T>> sendAsync(
            HttpRequest request,
            HttpResponse.BodyHandler<T> responseBodyHandler,
            HttpResponse.@Nullable PushPromiseHandler<T> pushPromiseHandler) {
        return client.sendAsync(request, monitored(request, responseBodyHandler), pushPromiseHandler);
    }

    @Override
    public <T> HttpResponse<T> send(HttpRequest request, HttpResponse.BodyHandler<T> responseBodyHandler)
            throws IOException, InterruptedException {
        return client.send(request, monitored(request, responseBodyHandler));
    }

    private <T> HttpResponse.BodyHandler<T> monitored(HttpRequest request, HttpResponse.BodyHandler<T> handler) {
        URI address = request.uri();
        WatchId id = WatchId.of(address);
        String query = address.getQuery();
        boolean watch = query != null && query.contains("watch=true");
        Keepalive keepalive = monitor.keepalive();
        Duration silenceAllowed = watch ? keepalive.withoutPings() : keepalive.silence();
        return response -> {
            if (!request.method().equals("GET")) {
                // A create has the address of the list: it says nothing about the watch.
                activity.responded();
            } else if (watch && response.statusCode() == HttpURLConnection.HTTP_OK) {
                // The first bytes may be those of the first bookmark.
                activity.received(id, silenceAllowed);
            } else {
                activity.responded(id, response.statusCode());
            }
            Runnable received = watch ? () -> activity.received(id, silenceAllowed) : () -> {};
            return new MonitoredBody<>(handler.apply(response), silenceAllowed, monitor, received);
        };
    }

    @Override
    public WebSocket.Builder newWebSocketBuilder() {
        return new PingedBuilder(client.newWebSocketBuilder());
    }

    private final class PingedBuilder implements WebSocket.Builder {

        private final WebSocket.Builder builder;

        PingedBuilder(WebSocket.Builder builder) {
            this.builder = builder;
        }

        @Override
        public WebSocket.Builder header(String name, String value) {
            builder.header(name, value);
            return this;
        }

        @Override
        public WebSocket.Builder connectTimeout(Duration timeout) {
            builder.connectTimeout(timeout);
            return this;
        }

        @Override
        public WebSocket.Builder subprotocols(String mostPreferred, String... lesserPreferred) {
            builder.subprotocols(mostPreferred, lesserPreferred);
            return this;
        }

        @Override
        public CompletableFuture<WebSocket> buildAsync(URI uri, WebSocket.Listener listener) {
            return builder.buildAsync(uri, new PingedWatch(uri, listener, monitor))
                    .whenComplete((_, failure) -> {
                        @Nullable
                        Throwable cause = failure instanceof CompletionException ? failure.getCause() : failure;
                        if (cause instanceof WebSocketHandshakeException refused) {
                            activity.responded(
                                    WatchId.of(uri), refused.getResponse().statusCode());
                        }
                    });
        }
    }

    @Override
    public Optional<CookieHandler> cookieHandler() {
        return client.cookieHandler();
    }

    @Override
    public Optional<Duration> connectTimeout() {
        return client.connectTimeout();
    }

    @Override
    public Redirect followRedirects() {
        return client.followRedirects();
    }

    @Override
    public Optional<ProxySelector> proxy() {
        return client.proxy();
    }

    @Override
    public SSLContext sslContext() {
        return client.sslContext();
    }

    @Override
    public SSLParameters sslParameters() {
        return client.sslParameters();
    }

    @Override
    public Optional<Authenticator> authenticator() {
        return client.authenticator();
    }

    @Override
    public Version version() {
        return client.version();
    }

    @Override
    public Optional<Executor> executor() {
        return client.executor();
    }

    @Override
    public void shutdownNow() {
        client.shutdownNow();
    }

    @Override
    public void close() {
        client.close();
    }
}
