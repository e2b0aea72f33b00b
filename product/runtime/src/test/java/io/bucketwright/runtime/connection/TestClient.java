package io.bucketwright.runtime.connection;

import io.bucketwright.runtime.TimeSource;
import io.bucketwright.runtime.keepalive.ConnectionMonitor;
import io.bucketwright.runtime.keepalive.Keepalive;
import io.fabric8.kubernetes.client.RequestConfigBuilder;
import io.fabric8.kubernetes.client.http.HttpClient;
import io.fabric8.kubernetes.client.http.HttpRequest;
import io.fabric8.kubernetes.client.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** A client that sends each request once. */
record TestClient(HttpClient http, ConnectionMonitor monitor) implements AutoCloseable {

    private static final Duration PATIENT = Duration.ofMinutes(1);

    static TestClient open(TimeSource time, Keepalive keepalive, Consumer<HttpClient.Builder> settings) {
        ConnectionMonitor monitor = new ConnectionMonitor(keepalive, time, Runnable::run);
        monitor.start();
        return open(monitor, settings);
    }

    /** With a monitor that may not be started, as in commands. */
    static TestClient open(ConnectionMonitor monitor, Consumer<HttpClient.Builder> settings) {
        HttpClient.Builder builder = new BlockingClientFactory(monitor, Thread::startVirtualThread).newBuilder();
        settings.accept(builder);
        HttpClient http = builder.tag(new RequestConfigBuilder()
                        .withRequestRetryBackoffLimit(0)
                        .build())
                .build();
        return new TestClient(http, monitor);
    }

    HttpRequest.Builder request(String url) {
        return request(url, PATIENT);
    }

    /** @param timeout how long the request waits for the head of the response */
    HttpRequest.Builder request(String url, Duration timeout) {
        return http.newHttpRequestBuilder().uri(url).timeout(timeout.toMillis(), TimeUnit.MILLISECONDS);
    }

    String get(String url) {
        return body(send(request(url)));
    }

    String post(String url, String body) {
        return post(url, body, PATIENT);
    }

    String post(String url, String body, Duration timeout) {
        return body(send(request(url, timeout).method("POST", "application/json", body)));
    }

    HttpResponse<byte[]> send(HttpRequest.Builder request) {
        try {
            return http.sendAsync(request.build(), byte[].class).join();
        } catch (CompletionException e) {
            throw new IllegalStateException(e.getCause());
        }
    }

    static String body(HttpResponse<byte[]> response) {
        return response.code() + " " + new String(response.body(), StandardCharsets.UTF_8);
    }

    @Override
    public void close() {
        monitor.close();
        http.close();
    }
}
