package io.bucketwright.runtime.client;

import io.bucketwright.runtime.TimeSource;
import io.fabric8.kubernetes.client.http.BasicBuilder;
import io.fabric8.kubernetes.client.http.HttpResponse;
import io.fabric8.kubernetes.client.http.Interceptor;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Makes lists and watches wait as long as an overloaded server requests. fabric8 7.8.0 reads Retry-After but then waits its own,
 * shorter interval. Writes never come here: their wait is the work queue's.
 */
record RetryAfter(TimeSource time) implements Interceptor {

    /** What the client's own timeout leaves room for. */
    private static final Duration LONGEST = Duration.ofSeconds(10);

    @Override
    public CompletableFuture<Boolean> afterFailure(BasicBuilder builder, HttpResponse<?> response, RequestTags tags) {
        @Nullable String header = response.header("Retry-After");
        boolean overloaded = response.code() == 429 || response.code() == 503;
        boolean isRead = "GET".equalsIgnoreCase(response.request().method());
        Duration asked = ApiResponse.of(response.code(), new byte[0], header == null ? "" : header)
                .retryAfter();
        if (!overloaded || !isRead || !asked.isPositive()) {
            return CompletableFuture.completedFuture(false);
        }
        CompletableFuture<Boolean> again = new CompletableFuture<>();
        time.after(asked.compareTo(LONGEST) < 0 ? asked : LONGEST, () -> again.complete(true));
        return again;
    }
}
