package io.bucketwright.bench.http;

import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** One connection to the API server. One thread uses it, for one request at a time. */
public final class PlainConnection implements AutoCloseable {

    private static final int BUFFER = 1 << 16;

    private final ApiEndpoint endpoint;
    private final Socket socket;
    private final InputStream in;

    private PlainConnection(ApiEndpoint endpoint, Socket socket) throws IOException {
        this.endpoint = endpoint;
        this.socket = socket;
        this.in = new BufferedInputStream(socket.getInputStream(), BUFFER);
    }

    public static PlainConnection open(ApiEndpoint endpoint) throws IOException {
        return new PlainConnection(endpoint, endpoint.connect());
    }

    /**
     * Sends a request and reads the response.
     *
     * @param contentType of the body
     * @param body empty for none
     */
    public PlainResponse send(String method, String path, String contentType, String body) throws IOException {
        write(method, path, contentType, body);
        int code = readStatus();
        try (BodyStream content = readHeaders()) {
            return new PlainResponse(
                    method + " " + path, code, new String(content.readAllBytes(), StandardCharsets.UTF_8));
        }
    }

    public PlainResponse get(String path) throws IOException {
        return send("GET", path, "", "");
    }

    /** Sends a GET whose response does not end by itself; the connection cannot be used for anything else afterwards. */
    InputStream stream(String path) throws IOException {
        write("GET", path, "", "");
        int code = readStatus();
        BodyStream content = readHeaders();
        if (code != 200) {
            new PlainResponse("GET " + path, code, new String(content.readAllBytes(), StandardCharsets.UTF_8))
                    .require();
        }
        return content;
    }

    private void write(String method, String path, String contentType, String body) throws IOException {
        byte[] content = body.getBytes(StandardCharsets.UTF_8);
        StringBuilder head = new StringBuilder(256)
                .append(method)
                .append(' ')
                .append(path)
                .append(" HTTP/1.1\r\nHost: ")
                .append(endpoint.host())
                .append("\r\nAccept: application/json\r\nUser-Agent: bucketwright-bench\r\n");
        if (!endpoint.authorization().isEmpty()) {
            head.append("Authorization: ").append(endpoint.authorization()).append("\r\n");
        }
        if (content.length > 0) {
            head.append("Content-Type: ").append(contentType).append("\r\n");
        }
        head.append("Content-Length: ").append(content.length).append("\r\n\r\n");
        byte[] start = head.toString().getBytes(StandardCharsets.ISO_8859_1);
        byte[] all = new byte[start.length + content.length];
        System.arraycopy(start, 0, all, 0, start.length);
        System.arraycopy(content, 0, all, start.length, content.length);
        // In one piece: two would be two TLS records and two packets.
        socket.getOutputStream().write(all);
        socket.getOutputStream().flush();
    }

    private int readStatus() throws IOException {
        String[] words = line(in).split(" ", 3);
        if (words.length < 2 || !words[0].startsWith("HTTP/1.")) {
            throw new IOException(endpoint + " does not answer with HTTP/1.1.");
        }
        return Integer.parseInt(words[1]);
    }

    private BodyStream readHeaders() throws IOException {
        long length = 0;
        boolean chunked = false;
        for (String header = line(in); !header.isEmpty(); header = line(in)) {
            int colon = header.indexOf(':');
            String name = header.substring(0, Math.max(0, colon)).toLowerCase(Locale.ROOT);
            String value = header.substring(colon + 1).trim();
            if (name.equals("content-length")) {
                length = Long.parseLong(value);
            } else if (name.equals("transfer-encoding")) {
                chunked = value.equalsIgnoreCase("chunked");
            }
        }
        return new BodyStream(in, chunked ? 0 : length, chunked);
    }

    private static String line(InputStream in) throws IOException {
        StringBuilder line = new StringBuilder(64);
        for (int next = in.read(); next != '\n'; next = in.read()) {
            if (next < 0) {
                throw new EOFException("The API server closed the connection.");
            }
            if (next != '\r') {
                line.append((char) next);
            }
        }
        return line.toString();
    }

    @Override
    public void close() {
        try {
            socket.close();
        } catch (IOException alreadyClosed) {
            // Nothing depends on an orderly end.
        }
    }

    /** The body of a response: of a known length, or in chunks. Closing it does not close the connection. */
    static final class BodyStream extends InputStream {

        private final InputStream in;
        private final boolean chunked;
        private long left;
        private boolean first = true;
        private boolean ended;

        BodyStream(InputStream in, long length, boolean chunked) {
            this.in = in;
            this.left = length;
            this.chunked = chunked;
        }

        @Override
        public int read() throws IOException {
            byte[] one = new byte[1];
            return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
        }

        @Override
        public int read(byte @Nullable [] target, int offset, int length) throws IOException {
            if (left == 0 && chunked && !ended) {
                nextChunk();
            }
            if (left == 0) {
                return -1;
            }
            int count = in.read(target, offset, (int) Math.min(length, left));
            if (count < 0) {
                throw new EOFException("The API server closed the connection in the middle of a response.");
            }
            left -= count;
            return count;
        }

        private void nextChunk() throws IOException {
            if (!first) {
                line(in);
            }
            first = false;
            left = Long.parseLong(line(in).split(";", 2)[0].trim(), 16);
            if (left == 0) {
                ended = true;
                line(in);
            }
        }
    }
}
