package io.bucketwright.runtime.connection;

import io.bucketwright.runtime.keepalive.TrackedWatch;
import io.fabric8.kubernetes.client.http.StandardHttpRequest;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A request as it is sent. */
final class EncodedRequest {

    private static final byte[] NOTHING = {};

    private final String method;
    private final URI uri;
    private final ServerAddress address;
    private final byte[] bytes;
    private final @Nullable TrackedWatch watch;
    private final Runnable check;

    private EncodedRequest(
            String method, URI uri, ServerAddress address, byte[] bytes, @Nullable TrackedWatch watch, Runnable check) {
        this.method = method;
        this.uri = uri;
        this.address = address;
        this.bytes = bytes;
        this.watch = watch;
        this.check = check;
    }

    static EncodedRequest of(StandardHttpRequest request, URI uri, Map<String, List<String>> headers)
            throws IOException {
        byte[] body = body(request.body());
        ServerAddress address = ServerAddress.of(uri);
        StringBuilder head = head(request.method(), uri, address, headers);
        if (request.getContentType() != null && !headers.containsKey("Content-Type")) {
            header(head, "Content-Type", request.getContentType());
        }
        if (request.body() != null || !request.method().equals("GET")) {
            header(head, "Content-Length", Integer.toString(body.length));
        }
        return encoded(request.method(), uri, address, head, body);
    }

    /** A request that asks for a WebSocket. */
    static EncodedRequest upgrade(URI uri, Map<String, List<String>> headers, String key, @Nullable String protocol) {
        ServerAddress address = ServerAddress.of(uri);
        StringBuilder head = head("GET", uri, address, headers);
        header(head, "Connection", "Upgrade");
        header(head, "Upgrade", "websocket");
        header(head, "Sec-WebSocket-Version", "13");
        header(head, "Sec-WebSocket-Key", key);
        if (protocol != null) {
            header(head, "Sec-WebSocket-Protocol", protocol);
        }
        return encoded("GET", uri, address, head, NOTHING);
    }

    private static byte[] body(StandardHttpRequest.@Nullable BodyContent content) throws IOException {
        // Not a switch: the JVM generates a class for each switch over types when it first runs, during the start.
        if (content == null) {
            return NOTHING;
        }
        if (content instanceof StandardHttpRequest.StringBodyContent text) {
            return text.getContent().getBytes(StandardCharsets.UTF_8);
        }
        if (content instanceof StandardHttpRequest.ByteArrayBodyContent array) {
            return array.getContent();
        }
        if (content instanceof StandardHttpRequest.InputStreamBodyContent stream) {
            return stream.getContent().readAllBytes();
        }
        throw new IllegalArgumentException("A body of " + content.getClass() + " cannot be sent");
    }

    private static StringBuilder head(
            String method, URI uri, ServerAddress address, Map<String, List<String>> headers) {
        StringBuilder head = new StringBuilder(512).append(method).append(' ');
        head.append(uri.getRawPath() == null || uri.getRawPath().isEmpty() ? "/" : uri.getRawPath());
        if (uri.getRawQuery() != null) {
            head.append('?').append(uri.getRawQuery());
        }
        head.append(" HTTP/1.1\r\nHost: ").append(address.authority()).append("\r\n");
        headers.forEach((name, values) -> {
            for (String value : values) {
                header(head, name, value);
            }
        });
        return head;
    }

    private static void header(StringBuilder head, String name, String value) {
        check(name, name);
        check(name, value);
        head.append(name).append(": ").append(value).append("\r\n");
    }

    private static void check(String name, String text) {
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if ((c < ' ' && c != '\t') || c == 0x7f || c > 0xff) {
                // The value may be a token.
                throw new IllegalArgumentException(
                        "The header " + name.strip() + " contains a character that cannot be sent");
            }
        }
    }

    private static EncodedRequest encoded(
            String method, URI uri, ServerAddress address, StringBuilder head, byte[] body) {
        byte[] first = head.append("\r\n").toString().getBytes(StandardCharsets.ISO_8859_1);
        byte[] all = Arrays.copyOf(first, first.length + body.length);
        System.arraycopy(body, 0, all, first.length, body.length);
        return new EncodedRequest(method, uri, address, all, null, () -> {});
    }

    /** The same request as part of a list and watch; null if it is of none. */
    EncodedRequest of(@Nullable TrackedWatch listWatch) {
        return new EncodedRequest(method, uri, address, bytes, listWatch, check);
    }

    /** The same request. That runs directly before the bytes leave, and throws if they must not. */
    EncodedRequest checkedBy(Runnable task) {
        return new EncodedRequest(method, uri, address, bytes, watch, task);
    }

    /** What the response says something about; null if it says nothing about a list and watch. */
    @Nullable
    TrackedWatch watch() {
        return watch;
    }

    String method() {
        return method;
    }

    URI uri() {
        return uri;
    }

    ServerAddress address() {
        return address;
    }

    void send(HttpConnection connection) throws IOException {
        check.run();
        connection.send(bytes);
    }
}
