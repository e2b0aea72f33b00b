package io.bucketwright.runtime.connection;

import io.fabric8.kubernetes.client.http.BasicBuilder;
import io.fabric8.kubernetes.client.http.HttpRequest;
import io.fabric8.kubernetes.client.http.StandardHttpRequest;
import java.io.IOException;
import java.net.URI;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A request while interceptors change it. Each of them sees what the ones before it did. fabric8 builds a new request, with
 * a new random id, after each interceptor.
 */
final class OutgoingRequest implements BasicBuilder, HttpRequest {

    private final StandardHttpRequest original;
    private final Map<String, List<String>> headers = new LinkedHashMap<>();
    private URI uri;

    OutgoingRequest(StandardHttpRequest original) {
        this.original = original;
        this.uri = original.uri();
        original.headers().forEach((name, values) -> headers.put(name, new ArrayList<>(values)));
    }

    StandardHttpRequest original() {
        return original;
    }

    EncodedRequest encode() throws IOException {
        return EncodedRequest.of(original, uri, headers);
    }

    /** The same request, for interceptors that repeat it. */
    StandardHttpRequest.Builder toBuilder() {
        StandardHttpRequest.Builder copy = original.newBuilder();
        copy.uri(uri);
        headers.forEach((name, values) -> {
            copy.setHeader(name, values.getFirst());
            values.stream().skip(1).forEach(value -> copy.header(name, value));
        });
        return copy;
    }

    @Override
    public BasicBuilder uri(URI changed) {
        uri = changed;
        return this;
    }

    @Override
    public BasicBuilder header(String name, String value) {
        headers.computeIfAbsent(name, _ -> new ArrayList<>(1)).add(value);
        return this;
    }

    @Override
    public BasicBuilder setHeader(String name, String value) {
        headers.put(name, new ArrayList<>(List.of(value)));
        return this;
    }

    @Override
    public URI uri() {
        return uri;
    }

    @Override
    public UUID id() {
        return original.id();
    }

    @Override
    public String method() {
        return original.method();
    }

    @Override
    public @Nullable String bodyString() {
        return original.bodyString();
    }

    @Override
    public List<String> headers(String name) {
        return headers.getOrDefault(name, List.of());
    }

    @Override
    public Map<String, List<String>> headers() {
        return headers;
    }
}
