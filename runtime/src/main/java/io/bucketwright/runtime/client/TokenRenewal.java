package io.bucketwright.runtime.client;

import io.bucketwright.runtime.TimeSource;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.http.BasicBuilder;
import io.fabric8.kubernetes.client.http.HttpClient;
import io.fabric8.kubernetes.client.http.HttpRequest;
import io.fabric8.kubernetes.client.utils.TokenRefreshInterceptor;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Adds the token to requests, and reads it again once a minute. fabric8 7.8.0 does that only if it finds a token: where there
 * is none, because the user has a client certificate, it parses the whole kubeconfig before each request from the second
 * minute on.
 */
final class TokenRenewal extends TokenRefreshInterceptor {

    private static final Duration INTERVAL = Duration.ofMinutes(1);

    private final TimeSource time;
    private final AtomicLong lastNanos;

    TokenRenewal(Config config, HttpClient.Factory factory, TimeSource time) {
        super(config, factory, time.now());
        this.time = time;
        this.lastNanos = new AtomicLong(time.nanos());
    }

    @Override
    public void before(BasicBuilder builder, HttpRequest request, RequestTags tags) {
        if (hasCredentials() || isDue()) {
            super.before(builder, request, tags);
        }
    }

    /** Whether there is something to add to a request, or to read again soon. */
    private boolean hasCredentials() {
        return config.getAutoOAuthToken() != null
                || config.getOauthToken() != null
                || config.getOauthTokenProvider() != null
                || config.getUsername() != null
                || config.getAuthProvider() != null;
    }

    private boolean isDue() {
        long last = lastNanos.get();
        long now = time.nanos();
        return now - last >= INTERVAL.toNanos() && lastNanos.compareAndSet(last, now);
    }
}
