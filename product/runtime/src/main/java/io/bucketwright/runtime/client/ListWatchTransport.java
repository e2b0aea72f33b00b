package io.bucketwright.runtime.client;

import io.bucketwright.runtime.json.JsonCodec;
import io.bucketwright.runtime.keepalive.TrackedWatch;
import io.bucketwright.runtime.keepalive.WatchStatus;
import io.fabric8.kubernetes.client.http.HttpClient;
import io.fabric8.kubernetes.client.http.HttpRequest;
import io.fabric8.kubernetes.client.http.HttpResponse;
import io.fabric8.kubernetes.client.http.WebSocket;
import io.fabric8.kubernetes.client.http.WebSocketHandshakeException;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.net.HttpURLConnection;
import java.net.URI;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * Sends lists and watches, each once: the informers decide when to try again. Paths are below the root of the server, without
 * a leading slash.
 */
public final class ListWatchTransport {

    /** Enough for a Status, whatever sends it. */
    private static final int LONGEST_ERROR = 64 << 10;

    private final HttpClient http;
    private final String root;
    private final JsonCodec json;
    private final RequestMetrics accounting;
    private final Duration timeout;
    private final TrackedWatch watch;

    /**
     * Sends nothing yet.
     *
     * @param timeout until the headers of a response
     * @param watch a tag of the client, which hears what the server answers
     */
    ListWatchTransport(
            HttpClient http,
            String root,
            JsonCodec json,
            RequestMetrics accounting,
            Duration timeout,
            TrackedWatch watch) {
        this.http = http;
        this.root = root.endsWith("/") ? root : root + "/";
        this.json = json;
        this.accounting = accounting;
        this.timeout = timeout;
        this.watch = watch;
    }

    /** How the list and watch is doing. */
    public WatchStatus status() {
        return watch.status();
    }

    /**
     * A list, or a watch over a plain response, to be read while it arrives.
     *
     * @throws ListWatchException if the server refused it
     */
    public InputStream open(String path) throws IOException, InterruptedException {
        HttpRequest request = request(path);
        HttpResponse<InputStream> response = await(request, http.sendAsync(request, InputStream.class));
        if (response.code() == HttpURLConnection.HTTP_OK) {
            return response.body();
        }
        try (InputStream body = response.body()) {
            ApiResponse refused = ApiResponse.of(response, body.readNBytes(LONGEST_ERROR));
            throw new ListWatchException(refused.code(), reason(refused), refused.retryAfter());
        }
    }

    /**
     * A watch over a WebSocket; empty if the server, or a proxy before it, does not support WebSockets.
     *
     * @throws ListWatchException if the server refused it
     */
    public Optional<WebSocket> watch(String path, WebSocket.Listener listener)
            throws IOException, InterruptedException {
        HttpRequest request = request(path);
        CompletableFuture<WebSocket> opened = http.newWebSocketBuilder()
                .uri(request.uri())
                .header("origin", origin())
                .connectTimeout(timeout.toMillis(), TimeUnit.MILLISECONDS)
                .buildAsync(listener);
        try {
            return Optional.of(await(request, opened));
        } catch (IOException e) {
            if (!(e.getCause() instanceof WebSocketHandshakeException refused) || refused.getResponse() == null) {
                throw e;
            }
            ApiResponse response = ApiResponse.of(refused.getResponse(), new byte[0]);
            int code = response.code();
            // 200: kubectl proxy and other proxies forward the request without its upgrade. 503: some answer this
            // instead.
            if (code == HttpURLConnection.HTTP_OK || code == HttpURLConnection.HTTP_UNAVAILABLE) {
                return Optional.empty();
            }
            throw new ListWatchException(
                    code, "the API server answered " + code + " to the watch", response.retryAfter());
        }
    }

    private HttpRequest request(String path) {
        return http.newHttpRequestBuilder()
                .uri(root + path)
                .timeout(timeout.toMillis(), TimeUnit.MILLISECONDS)
                .build();
    }

    private String origin() {
        URI address = URI.create(root);
        return address.getScheme() + "://" + address.getRawAuthority();
    }

    private <V> V await(HttpRequest request, CompletableFuture<V> sent) throws IOException, InterruptedException {
        try {
            // Twice: normally the client's own timeout comes first, and it also closes the connection.
            return sent.get(2 * timeout.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            sent.cancel(true);
            throw e;
        } catch (TimeoutException e) {
            sent.cancel(true);
            accounting.unanswered(request);
            throw new InterruptedIOException("no response within " + timeout.toSeconds() + " s");
        } catch (ExecutionException e) {
            @Nullable Throwable cause = e.getCause();
            while (cause instanceof CompletionException && cause.getCause() != null) {
                cause = cause.getCause();
            }
            if (!(cause instanceof WebSocketHandshakeException)) {
                accounting.unanswered(request);
            }
            throw new IOException(text(cause == null ? e : cause), cause);
        }
    }

    private static String text(Throwable cause) {
        String message = cause.getMessage();
        return message == null || message.isEmpty() ? cause.getClass().getSimpleName() : message;
    }

    /** The server's own words, which name a missing permission. */
    private String reason(ApiResponse response) {
        return response.status(json)
                .map(status -> status.getMessage())
                .filter(message -> !message.isEmpty())
                .orElseGet(() -> "the API server answered " + response.code() + " " + response.text());
    }
}
