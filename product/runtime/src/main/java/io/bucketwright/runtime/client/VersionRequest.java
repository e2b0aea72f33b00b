package io.bucketwright.runtime.client;

import io.fabric8.kubernetes.client.http.HttpClient;
import io.fabric8.kubernetes.client.http.HttpRequest;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * One request about the API server itself, to learn whether it can be reached, accepts the credentials, or serves a group.
 *
 * @param http never repeats a request
 * @param root the address of the server, with a slash at the end
 * @param path without a slash at its beginning
 */
record VersionRequest(HttpClient http, String root, String path, Duration timeout) {

    /** Sends the request once and returns the HTTP status of the response. */
    int send() throws IOException {
        HttpRequest request = http.newHttpRequestBuilder()
                .uri(root + path)
                .timeout(timeout.toMillis(), TimeUnit.MILLISECONDS)
                .build();
        try {
            return http.sendAsync(request, byte[].class)
                    .get(timeout.toMillis(), TimeUnit.MILLISECONDS)
                    .code();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("interrupted while waiting for the response");
        } catch (TimeoutException e) {
            throw new IOException("no response within " + timeout.toSeconds() + " s", e);
        } catch (ExecutionException e) {
            @Nullable Throwable cause = e.getCause();
            throw new IOException(cause == null ? e : cause);
        }
    }
}
