package io.bucketwright.runtime.connection;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import java.util.random.RandomGenerator;

/**
 * The part of RFC 6455 that makes a connection a WebSocket.
 *
 * @param key random; the server has to answer to it
 */
record Handshake(String key) {

    private static final String SUFFIX = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";

    static Handshake of(RandomGenerator random) {
        byte[] bytes = new byte[16];
        random.nextBytes(bytes);
        return new Handshake(Base64.getEncoder().encodeToString(bytes));
    }

    /** Closes the connection unless the server has answered as a WebSocket server does. */
    void check(RequestSender.Exchange exchange) throws IOException {
        ResponseHead head = exchange.head();
        if (!head.has("Upgrade", "websocket")
                || !head.has("Connection", "upgrade")
                || !head.values("Sec-WebSocket-Accept").contains(accepted())
                || !head.values("Sec-WebSocket-Extensions").isEmpty()) {
            exchange.connection().close();
            throw new IOException("The server answered 101 but did not open a WebSocket");
        }
    }

    String accepted() {
        try {
            MessageDigest sha1 = MessageDigest.getInstance("SHA-1");
            byte[] digest = sha1.digest((key + SUFFIX).getBytes(StandardCharsets.ISO_8859_1));
            return Base64.getEncoder().encodeToString(digest);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("The JDK has no SHA-1, which WebSockets require", e);
        }
    }
}
