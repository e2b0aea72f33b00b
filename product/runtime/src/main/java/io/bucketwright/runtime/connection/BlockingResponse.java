package io.bucketwright.runtime.connection;

import io.fabric8.kubernetes.client.http.HttpRequest;
import io.fabric8.kubernetes.client.http.HttpResponse;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A response as fabric8 reads it. */
record BlockingResponse<T>(HttpRequest request, ResponseHead head, T body) implements HttpResponse<T> {

    @Override
    public int code() {
        return head.code();
    }

    @Override
    public List<String> headers(String name) {
        return head.values(name);
    }

    @Override
    public Map<String, List<String>> headers() {
        return head.headers();
    }

    @Override
    public Optional<HttpResponse<?>> previousResponse() {
        return Optional.empty();
    }
}
