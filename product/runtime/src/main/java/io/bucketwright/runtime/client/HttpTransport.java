package io.bucketwright.runtime.client;

import io.bucketwright.runtime.Leadership;
import io.bucketwright.runtime.LeadershipLostException;
import io.bucketwright.runtime.json.JsonCodec;
import io.fabric8.kubernetes.client.http.HttpClient;
import io.fabric8.kubernetes.client.http.HttpRequest;
import io.fabric8.kubernetes.client.http.HttpResponse;
import java.io.InterruptedIOException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * Sends requests through the HTTP client.
 *
 * @param leadership changes wait for their response no longer than it lasts
 * @param throttle null for requests that are never held back
 */
record HttpTransport(
        HttpClient http,
        String root,
        JsonCodec json,
        RequestMetrics accounting,
        Duration timeout,
        Leadership leadership,
        @Nullable ThrottleGate throttle)
        implements Transport {

    HttpTransport {
        root = root.endsWith("/") ? root : root + "/";
    }

    @Override
    public byte[] send(String what, String method, String path, String contentType, String body) {
        Duration limit = limit();
        return send(
                what, http.newHttpRequestBuilder().uri(root + path).method(method, contentType, body), limit, limit);
    }

    /** The fence refuses a change if nothing is left. */
    private Duration limit() {
        Duration left = leadership.remaining();
        return left.isPositive() && left.compareTo(timeout) < 0 ? left : timeout;
    }

    @Override
    public byte[] get(String what, String path) {
        return send(what, http.newHttpRequestBuilder().uri(root + path), timeout, timeout.plus(timeout));
    }

    /**
     * Sends a request.
     *
     * @param limit until the head of the response
     * @param whole until its end, and that of the response to a repetition
     */
    private byte[] send(String what, HttpRequest.Builder request, Duration limit, Duration whole) {
        Duration wait = throttle == null ? Duration.ZERO : throttle.remaining();
        if (wait.isPositive()) {
            throw new ApiException(
                    new ApiError.Throttled(what + ": not sent, because the API server requested to wait", wait));
        }
        ApiResponse answer = await(what, request, limit, whole);
        if (!answer.ok()) {
            throw new ApiException(throttled(answer.error(what, json)));
        }
        return answer.body();
    }

    private ApiError throttled(ApiError error) {
        return throttle != null && error instanceof ApiError.Throttled(String message, Duration after)
                ? new ApiError.Throttled(message, throttle.close(after))
                : error;
    }

    private ApiResponse await(String what, HttpRequest.Builder builder, Duration limit, Duration whole) {
        long millis = Math.max(1, limit.toMillis());
        long endNanos = System.nanoTime() + whole.toNanos();
        HttpRequest request = builder.timeout(millis, TimeUnit.MILLISECONDS).build();
        CompletableFuture<HttpResponse<byte[]>> sent = http.sendAsync(request, byte[].class);
        try {
            // It is complete, unless an interceptor waits before it has the request repeated. That must not hold a
            // worker for long either.
            HttpResponse<byte[]> response = sent.get(Math.max(0, endNanos - System.nanoTime()), TimeUnit.NANOSECONDS);
            return ApiResponse.of(response, response.body());
        } catch (InterruptedException e) {
            sent.cancel(true);
            Thread.currentThread().interrupt();
            throw unavailable(what, new InterruptedIOException("interrupted while waiting for the answer"));
        } catch (TimeoutException e) {
            accounting.unanswered(request);
            sent.cancel(true);
            throw unavailable(what, e);
        } catch (ExecutionException e) {
            @Nullable Throwable cause = e.getCause();
            if (cause instanceof LeadershipLostException lost) {
                throw lost;
            }
            accounting.unanswered(request);
            throw unavailable(what, cause == null ? e : cause);
        }
    }

    private static ApiException unavailable(String what, Throwable cause) {
        return new ApiException(
                new ApiError.Unavailable(
                        what + ": no answer from the API server (" + cause + "); it may have taken effect"),
                cause);
    }
}
