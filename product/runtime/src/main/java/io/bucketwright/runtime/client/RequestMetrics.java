package io.bucketwright.runtime.client;

import io.fabric8.kubernetes.client.http.AsyncBody;
import io.fabric8.kubernetes.client.http.HttpRequest;
import io.fabric8.kubernetes.client.http.HttpResponse;
import io.fabric8.kubernetes.client.http.Interceptor;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import java.net.URI;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Counts each request by verb, resource and answer; no answer is code 0.
 *
 * @param root the path of the server, which may contain anything, also {@code /api/}
 * @param counters by what they count: a registry would have to build and sort the tags for each request
 */
record RequestMetrics(MeterRegistry meters, String root, Map<Counted, Counter> counters) implements Interceptor {

    /** What one counter counts. */
    record Counted(RequestName name, int code) {}

    RequestMetrics(MeterRegistry meters, URI server) {
        this(meters, server.getRawPath(), new ConcurrentHashMap<>());
    }

    @Override
    public void after(HttpRequest request, HttpResponse<?> response, AsyncBody.Consumer<List<ByteBuffer>> consumer) {
        count(request, response.code());
    }

    @Override
    public void afterConnectionFailure(HttpRequest request, Throwable failure) {
        unanswered(request);
    }

    /** For requests that are not repeated: fabric8 reports to interceptors only failures that it may repeat. */
    void unanswered(HttpRequest request) {
        count(request, 0);
    }

    private void count(HttpRequest request, int code) {
        RequestName name = RequestName.of(request.method(), request.uri(), root);
        counters.computeIfAbsent(new Counted(name, code), this::counter).increment();
    }

    private Counter counter(Counted counted) {
        Tags tags = Tags.of(
                "verb",
                counted.name().verb(),
                "resource",
                counted.name().resource(),
                "code",
                Integer.toString(counted.code()));
        return Counter.builder("bucketwright.api.requests")
                .tags(tags)
                .description("Requests to the API server, by HTTP status; code 0 is no response")
                .register(meters);
    }
}
