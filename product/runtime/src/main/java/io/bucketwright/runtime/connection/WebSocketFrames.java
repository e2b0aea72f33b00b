package io.bucketwright.runtime.connection;

import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/** Reads and writes the frames of RFC 6455, as a client. */
final class WebSocketFrames {

    /** What the server sends. */
    sealed interface Message {

        /** Binary, or a text in UTF-8: a parser of JSON needs no characters. */
        record Data(ByteBuffer bytes) implements Message {}

        record Ping(ByteBuffer payload) implements Message {}

        record Pong() implements Message {}

        record Close(int code, String reason) implements Message {}
    }

    static final int BINARY = 2;
    static final int CLOSE = 8;
    static final int PING = 9;
    static final int PONG = 10;

    /** No object in etcd is nearly that large. */
    static final int LARGEST_MESSAGE = 64 << 20;

    private static final int CONTINUATION = 0;
    private static final int LARGEST_CONTROL = 125;
    private static final int NO_CODE = 1005;
    private static final int STEP = 1 << 20;

    private final HttpConnection connection;
    private final RandomGenerator random;
    private @Nullable ByteArrayOutputStream fragments;

    /**
     * Uses a connection on which a WebSocket is open.
     *
     * @param random masks what is sent
     */
    WebSocketFrames(HttpConnection connection, RandomGenerator random) {
        this.connection = connection;
        this.random = random;
    }

    /** Reads the next message. Control frames arrive between the fragments of others. */
    Message read() throws IOException {
        while (true) {
            int first = next();
            int second = next();
            int opcode = first & 0x0f;
            boolean last = (first & 0x80) != 0;
            if ((first & 0x70) != 0 || (second & 0x80) != 0) {
                throw new IOException("The server sent a WebSocket frame that was not negotiated");
            }
            if (opcode >= CLOSE) {
                if (!last || second > LARGEST_CONTROL) {
                    throw new IOException("The server sent a malformed WebSocket control frame");
                }
                return control(opcode, payload(second));
            }
            byte[] payload = payload(length(second));
            @Nullable ByteArrayOutputStream begun = fragments;
            if (opcode > BINARY || (opcode == CONTINUATION) != (begun != null)) {
                throw new IOException("The server sent a WebSocket frame out of order");
            }
            if (begun == null) {
                if (last) {
                    return new Message.Data(ByteBuffer.wrap(payload));
                }
                begun = new ByteArrayOutputStream(2 * payload.length);
                fragments = begun;
            }
            begun.writeBytes(payload);
            if (last) {
                fragments = null;
                return new Message.Data(ByteBuffer.wrap(begun.toByteArray()));
            }
        }
    }

    private static Message control(int opcode, byte[] payload) throws IOException {
        return switch (opcode) {
            case PING -> new Message.Ping(ByteBuffer.wrap(payload));
            case PONG -> new Message.Pong();
            case CLOSE ->
                payload.length < 2
                        ? new Message.Close(NO_CODE, "")
                        : new Message.Close(
                                (payload[0] & 0xff) << 8 | (payload[1] & 0xff),
                                new String(payload, 2, payload.length - 2, StandardCharsets.UTF_8));
            default -> throw new IOException("The server sent a WebSocket frame of an unknown kind");
        };
    }

    private long length(int second) throws IOException {
        int bytes = second == 126 ? 2 : second == 127 ? 8 : 0;
        long length = bytes == 0 ? second : 0;
        for (int i = 0; i < bytes; i++) {
            length = length << 8 | next();
        }
        return length;
    }

    private byte[] payload(long length) throws IOException {
        int before = fragments == null ? 0 : fragments.size();
        if (length < 0 || length > LARGEST_MESSAGE - before) {
            throw new IOException("The server sent a WebSocket message of more than " + LARGEST_MESSAGE + " bytes");
        }
        // Not all at once: the length is only claimed.
        byte[] payload = new byte[(int) Math.min(length, STEP)];
        for (int offset = 0; offset < length; ) {
            if (offset == payload.length) {
                payload = Arrays.copyOf(payload, (int) Math.min(length, 2L * offset));
            }
            int count = connection.read(payload, offset, payload.length - offset);
            if (count < 0) {
                throw closed();
            }
            offset += count;
        }
        return payload;
    }

    private int next() throws IOException {
        int next = connection.read();
        if (next < 0) {
            throw closed();
        }
        return next;
    }

    private static EOFException closed() {
        return new EOFException("The server closed the connection of a watch");
    }

    /** Sends a frame; threads may send at the same time, and while another one reads. */
    void write(int opcode, byte[] payload) throws IOException {
        int extra = payload.length <= LARGEST_CONTROL ? 0 : payload.length < 1 << 16 ? 2 : 8;
        ByteBuffer frame = ByteBuffer.allocate(6 + extra + payload.length);
        frame.put((byte) (0x80 | opcode));
        switch (extra) {
            case 0 -> frame.put((byte) (0x80 | payload.length));
            case 2 -> frame.put((byte) (0x80 | 126)).putShort((short) payload.length);
            default -> frame.put((byte) (0x80 | 127)).putLong(payload.length);
        }
        byte[] mask = new byte[4];
        random.nextBytes(mask);
        frame.put(mask);
        for (int i = 0; i < payload.length; i++) {
            frame.put((byte) (payload[i] ^ mask[i & 3]));
        }
        connection.write(frame.array());
    }

    /** The payload of a close frame. */
    static byte[] closing(int code, String reason) {
        byte[] text = reason.getBytes(StandardCharsets.UTF_8);
        // Cut in the middle of a character it would be malformed.
        byte[] shown = text.length > LARGEST_CONTROL - 2 ? new byte[0] : text;
        return ByteBuffer.allocate(2 + shown.length)
                .putShort((short) code)
                .put(shown)
                .array();
    }
}
