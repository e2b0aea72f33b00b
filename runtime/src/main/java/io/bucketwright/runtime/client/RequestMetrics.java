package io.bucketwright.runtime.client;

import io.fabric8.kubernetes.client.http.AsyncBody;
import io.fabric8.kubernetes.client.http.HttpRequest;
import io.fabric8.kubernetes.client.http.HttpResponse;
import io.fabric8.kubernetes.client.http.Interceptor;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import java.nio.ByteBuffer;
import java.util.List;

/** Counts each request by verb, resource and answer; no answer is code 0. */
record RequestMetrics(MeterRegistry meters) implements Interceptor {

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
        RequestName name = RequestName.of(request.method(), request.uri());
        Tags tags = Tags.of("verb", name.verb(), "resource", name.resource(), "code", Integer.toString(code));
        meters.counter("bucketwright.api.requests", tags).increment();
    }
}
