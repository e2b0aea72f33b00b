package io.bucketwright.testing;

import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Optional;

/** The first lines of an HTTP/1.1 message, up to the empty one, and how the body behind them ends. */
record HttpHead(String text) {

    private static final String END = "\r\n";

    /** Empty at the end of the stream. */
    static Optional<HttpHead> read(InputStream in) throws IOException {
        StringBuilder text = new StringBuilder();
        while (!text.toString().endsWith(END + END)) {
            String line = line(in);
            if (line.isEmpty()) {
                return Optional.empty();
            }
            text.append(line);
        }
        return Optional.of(new HttpHead(text.toString()));
    }

    String firstLine() {
        return text.substring(0, text.indexOf(END));
    }

    /** The status code of a response. */
    int code() {
        return Integer.parseInt(text.substring(9, 12));
    }

    String header(String name) {
        return text.lines()
                .filter(line -> line.toLowerCase(Locale.ROOT).startsWith(name + ":"))
                .findFirst()
                .map(line -> line.substring(name.length() + 1).strip())
                .orElse("");
    }

    HttpHead without(String name) {
        return new HttpHead(text.replaceFirst("(?i)" + name + ":[^\r]*\r\n", ""));
    }

    byte[] bytes() {
        return text.getBytes(StandardCharsets.ISO_8859_1);
    }

    /** Copies the body, each piece as soon as it is there. */
    void copyBody(InputStream in, OutputStream out) throws IOException {
        if (!header("content-length").isEmpty()) {
            copy(in, out, Long.parseLong(header("content-length")));
        } else if (header("transfer-encoding").equalsIgnoreCase("chunked")) {
            long size = chunk(in, out);
            while (size > 0) {
                copy(in, out, size + END.length());
                size = chunk(in, out);
            }
            String trailer = line(in);
            while (trailer.length() > END.length()) {
                out.write(trailer.getBytes(StandardCharsets.ISO_8859_1));
                trailer = line(in);
            }
            out.write(trailer.getBytes(StandardCharsets.ISO_8859_1));
        }
        out.flush();
    }

    byte[] readBody(InputStream in) throws IOException {
        ByteArrayOutputStream body = new ByteArrayOutputStream();
        copyBody(in, body);
        return body.toByteArray();
    }

    private static long chunk(InputStream in, OutputStream out) throws IOException {
        String line = line(in);
        out.write(line.getBytes(StandardCharsets.ISO_8859_1));
        return Long.parseLong(line.strip().replaceFirst(";.*", ""), 16);
    }

    private static void copy(InputStream in, OutputStream out, long length) throws IOException {
        byte[] buffer = new byte[8192];
        long left = length;
        while (left > 0) {
            int read = in.read(buffer, 0, (int) Math.min(buffer.length, left));
            if (read < 0) {
                throw new EOFException("The body has " + left + " bytes less than it should have");
            }
            out.write(buffer, 0, read);
            out.flush();
            left -= read;
        }
    }

    private static String line(InputStream in) throws IOException {
        StringBuilder line = new StringBuilder();
        int next = in.read();
        while (next >= 0) {
            line.append((char) next);
            if (next == '\n') {
                break;
            }
            next = in.read();
        }
        return line.toString();
    }
}
