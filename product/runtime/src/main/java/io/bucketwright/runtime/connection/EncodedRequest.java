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

/**
 * A request as it is sent.
 *
 * @param watch the list and watch that the response says something about; null for none
 * @param check runs directly before the bytes leave, and throws if they must not
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
record EncodedRequest(
        String method,
        URI uri,
        ServerAddress address,
        byte[] bytes,
        @Nullable TrackedWatch watch,
        Runnable check) {

    private static final byte[] NOTHING = {};

    static EncodedRequest of(StandardHttpRequest request, @Nullable TrackedWatch watch, Runnable check)
            throws IOException {
        byte[] body = body(request.body());
        ServerAddress address = ServerAddress.of(request.uri());
        StringBuilder head = head(request.method(), request.uri(), address, request.headers());
        if (request.getContentType() != null && !request.headers().containsKey("Content-Type")) {
            header(head, "Content-Type", request.getContentType());
        }
        if (request.body() != null || !request.method().equals("GET")) {
            header(head, "Content-Length", Integer.toString(body.length));
        }
        return new EncodedRequest(request.method(), request.uri(), address, bytes(head, body), watch, check);
    }

    /** A request that asks for a WebSocket. */
    static EncodedRequest upgrade(
            StandardHttpRequest request, String key, @Nullable String protocol, TrackedWatch watch) {
        ServerAddress address = ServerAddress.of(request.uri());
        StringBuilder head = head("GET", request.uri(), address, request.headers());
        header(head, "Connection", "Upgrade");
        header(head, "Upgrade", "websocket");
        header(head, "Sec-WebSocket-Version", "13");
        header(head, "Sec-WebSocket-Key", key);
        if (protocol != null) {
            header(head, "Sec-WebSocket-Protocol", protocol);
        }
        return new EncodedRequest("GET", request.uri(), address, bytes(head, NOTHING), watch, () -> {});
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

    private static byte[] bytes(StringBuilder head, byte[] body) {
        byte[] first = head.append("\r\n").toString().getBytes(StandardCharsets.ISO_8859_1);
        byte[] all = Arrays.copyOf(first, first.length + body.length);
        System.arraycopy(body, 0, all, first.length, body.length);
        return all;
    }

    void send(HttpConnection connection) throws IOException {
        check.run();
        connection.send(bytes);
    }
}
