package io.bucketwright.runtime.connection;

import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;

/** Reads the body of a response up to where its head says that it ends. */
final class ResponseBody {

    private static final int LARGEST_LINE = 8 * 1024;
    private static final int CHUNKS = 8 * 1024;
    private static final int SMALL = 64 * 1024;

    /** The length of a body that ends with the connection. */
    private static final long UNTIL_CLOSED = Long.MAX_VALUE;

    private final HttpConnection connection;
    private final boolean chunked;
    private final boolean persistent;

    /** In the chunk that is being read, or in the whole body if it is not chunked. */
    private long left;

    private boolean first = true;
    private boolean complete;

    private ResponseBody(HttpConnection connection, boolean chunked, boolean persistent, long left) {
        this.connection = connection;
        this.chunked = chunked;
        this.persistent = persistent;
        this.left = left;
        this.complete = left == 0 && !chunked;
    }

    static ResponseBody of(HttpConnection connection, String method, ResponseHead head) throws IOException {
        boolean persistent = head.persistent() && !head.has("Connection", "close");
        if (method.equals("HEAD") || head.code() == 204 || head.code() == 304) {
            return new ResponseBody(connection, false, persistent, 0);
        }
        List<String> lengths = head.values("Content-Length");
        List<String> encodings = head.values("Transfer-Encoding");
        if (!encodings.isEmpty()) {
            if (encodings.size() > 1 || !encodings.getFirst().equalsIgnoreCase("chunked")) {
                throw new IOException("The transfer encoding of the response is not chunked");
            }
            // Somebody in between may have understood the length instead.
            return new ResponseBody(connection, true, persistent && lengths.isEmpty(), 0);
        }
        return lengths.isEmpty()
                ? new ResponseBody(connection, false, false, UNTIL_CLOSED)
                : new ResponseBody(connection, false, persistent, length(lengths));
    }

    private static long length(List<String> values) throws IOException {
        String value = values.getFirst();
        long length = value.isEmpty() || value.length() > 18 ? -1 : 0;
        for (int i = 0; i < value.length() && length >= 0; i++) {
            int digit = value.charAt(i) - '0';
            length = digit < 0 || digit > 9 ? -1 : 10 * length + digit;
        }
        for (String other : values) {
            length = other.equals(value) ? length : -1;
        }
        if (length < 0) {
            throw new IOException("The length of the response is malformed");
        }
        return length;
    }

    /** Whether the next request may use the connection. */
    boolean isReusable() {
        return complete && persistent && !connection.hasUnreadBytes();
    }

    /** Reads at least one byte, or returns -1 at the end of the body. */
    int read(byte[] into) throws IOException {
        if (chunked && left == 0 && !complete) {
            nextChunk();
        }
        if (complete) {
            return -1;
        }
        int count = connection.read(into, 0, (int) Math.min(into.length, left));
        if (count < 0) {
            if (left != UNTIL_CLOSED) {
                throw new EOFException("The server closed the connection in the middle of a response");
            }
            complete = true;
            return -1;
        }
        left = left == UNTIL_CLOSED ? left : left - count;
        complete = left == 0 && !chunked;
        return count;
    }

    byte[] readAll() throws IOException {
        if (complete) {
            return new byte[0];
        }
        byte[] part = new byte[chunked ? CHUNKS : (int) Math.min(left, SMALL)];
        int count = read(part);
        if (complete) {
            return count == part.length ? part : Arrays.copyOf(part, Math.max(0, count));
        }
        ByteArrayOutputStream all = new ByteArrayOutputStream(2 * part.length);
        for (; count >= 0; count = read(part)) {
            all.write(part, 0, count);
        }
        return all.toByteArray();
    }

    private void nextChunk() throws IOException {
        if (!first && !line().isEmpty()) {
            throw new IOException("A chunk of the response is longer than its declared size");
        }
        first = false;
        String line = line();
        int end = line.indexOf(';');
        String size = (end < 0 ? line : line.substring(0, end)).strip();
        if (size.isEmpty() || size.length() > 15 || !size.chars().allMatch(c -> Character.digit(c, 16) >= 0)) {
            throw new IOException("The size of a chunk of the response is malformed");
        }
        left = Long.parseLong(size, 16);
        if (left == 0) {
            for (int trailers = 0; !line().isEmpty(); trailers++) {
                if (trailers == 100) {
                    throw new IOException("The response has too many trailers");
                }
            }
            complete = true;
        }
    }

    private String line() throws IOException {
        StringBuilder line = new StringBuilder();
        while (true) {
            int next = connection.read();
            if (next < 0) {
                throw new EOFException("The server closed the connection in the middle of a response");
            }
            if (next == '\n') {
                int end = line.length() - 1;
                return end >= 0 && line.charAt(end) == '\r' ? line.substring(0, end) : line.toString();
            }
            if (line.length() == LARGEST_LINE) {
                throw new IOException("A line of the response is longer than " + LARGEST_LINE + " bytes");
            }
            line.append((char) next);
        }
    }
}
