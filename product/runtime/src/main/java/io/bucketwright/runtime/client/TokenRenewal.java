package io.bucketwright.runtime.client;

import io.bucketwright.runtime.TimeSource;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.http.BasicBuilder;
import io.fabric8.kubernetes.client.http.HttpClient;
import io.fabric8.kubernetes.client.http.HttpRequest;
import io.fabric8.kubernetes.client.http.HttpResponse;
import io.fabric8.kubernetes.client.http.StandardHttpRequest;
import io.fabric8.kubernetes.client.http.WebSocketUpgradeResponse;
import io.fabric8.kubernetes.client.utils.HttpClientUtils;
import io.fabric8.kubernetes.client.utils.TokenRefreshInterceptor;
import java.net.HttpURLConnection;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Adds the token to requests, and reads it again once a minute, in one thread that no request waits for. fabric8 7.8.0 does
 * it in the thread of each request, and runs the plugin of a kubeconfig in all of them at the same time: one that hangs
 * would stop also the renewal of leases.
 */
final class TokenRenewal extends TokenRefreshInterceptor {

    private static final Duration INTERVAL = Duration.ofMinutes(1);

    /** How long a request whose token was rejected waits for another one. */
    private static final Duration PATIENCE = Duration.ofSeconds(8);

    /** A token that was read just now is not read again for the next request that was sent with the former one. */
    private static final Duration FRESH = Duration.ofSeconds(2);

    /** A plugin that has not ended by then never will. */
    private static final Duration HANGS = Duration.ofMinutes(5);

    private final TimeSource time;
    private final Executor executor;
    private CompletableFuture<Boolean> reading = CompletableFuture.completedFuture(false);
    private long startedNanos;

    /**
     * For a configuration that was just read.
     *
     * @param executor runs each task in a thread of its own
     */
    TokenRenewal(Config config, HttpClient.Factory factory, TimeSource time, Executor executor) {
        super(config, factory, time.now());
        this.time = time;
        this.executor = executor;
        this.startedNanos = time.nanos();
    }

    @Override
    public void before(BasicBuilder builder, HttpRequest request, RequestTags tags) {
        @Nullable String authorization = authorization();
        if (authorization != null) {
            builder.setHeader(AUTHORIZATION, authorization);
        }
        CompletableFuture<Boolean> _ = read(INTERVAL, tags);
    }

    /** Once for each request: with the token that was read since. */
    @Override
    public CompletableFuture<Boolean> afterFailure(BasicBuilder builder, HttpResponse<?> response, RequestTags tags) {
        if (shouldFail(response)) {
            return CompletableFuture.completedFuture(false);
        }
        return read(FRESH, tags)
                .copy()
                .completeOnTimeout(false, PATIENCE.toMillis(), TimeUnit.MILLISECONDS)
                .handle((found, failure) -> {
                    @Nullable String authorization = authorization();
                    if (failure != null || !found || authorization == null) {
                        return false;
                    }
                    builder.setHeader(AUTHORIZATION, authorization);
                    return true;
                });
    }

    /** Reads the token, unless that is being done, or was done less than this ago. Completes with whether there is one. */
    private CompletableFuture<Boolean> read(Duration atMostEvery, RequestTags tags) {
        CompletableFuture<Boolean> next = new CompletableFuture<>();
        synchronized (this) {
            long sinceNanos = time.nanos() - startedNanos;
            if (sinceNanos < (reading.isDone() ? atMostEvery : HANGS).toNanos()) {
                return reading;
            }
            startedNanos = time.nanos();
            reading = next;
        }
        executor.execute(() -> {
            try {
                next.complete(readNow(tags));
            } catch (Throwable e) {
                next.completeExceptionally(e);
            }
        });
        return next;
    }

    /** As fabric8 does after a request that was rejected: from the file, the plugin or the OpenID provider. */
    private boolean readNow(RequestTags tags) {
        StandardHttpRequest.Builder request = new StandardHttpRequest.Builder();
        // Nothing is sent there.
        request.uri("http://localhost/");
        HttpResponse<?> rejected =
                new WebSocketUpgradeResponse(request.build(), HttpURLConnection.HTTP_UNAUTHORIZED, Map.of());
        // As this type: there is another method for builders of requests, which would call the one here.
        BasicBuilder unused = request;
        return super.afterFailure(unused, rejected, tags).join();
    }

    private @Nullable String authorization() {
        if (useBasicAuth()) {
            return HttpClientUtils.basicCredentials(config.getUsername(), config.getPassword());
        }
        @Nullable String token = token();
        if (token != null && !token.isEmpty()) {
            return "Bearer " + token;
        }
        // The server then rejects the request, and the OpenID provider is asked.
        return useRemoteRefresh(config) ? "Bearer invalid" : null;
    }

    private @Nullable String token() {
        if (config.getOauthTokenProvider() != null) {
            return config.getOauthTokenProvider().getToken();
        }
        return config.getOauthToken() != null ? config.getOauthToken() : config.getAutoOAuthToken();
    }
}
