package io.bucketwright.devtools.image;

import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Arrays;
import java.util.Locale;

/** Writes a tar archive in the ustar format in which every entry belongs to root and has the same time. */
final class TarWriter implements Closeable {

    private static final int BLOCK = 512;
    private static final int NAME = 100;
    private static final int PREFIX = 155;

    private final OutputStream out;
    private final Instant time;

    TarWriter(OutputStream out, Instant time) {
        this.out = out;
        this.time = time;
    }

    void directory(String name, int mode) throws IOException {
        header(name + "/", mode, 0, '5', "");
    }

    void symbolicLink(String name, String target) throws IOException {
        header(name, 0777, 0, '2', target);
    }

    void file(String name, int mode, Path content) throws IOException {
        long size = Files.size(content);
        header(name, mode, size, '0', "");
        try (InputStream in = Files.newInputStream(content)) {
            long copied = in.transferTo(out);
            if (copied != size) {
                throw new IOException(content + " changed while it was read");
            }
        }
        pad(size);
    }

    void file(String name, int mode, byte[] content) throws IOException {
        header(name, mode, content.length, '0', "");
        out.write(content);
        pad(content.length);
    }

    /** Writes the end of the archive, and closes the stream. */
    @Override
    public void close() throws IOException {
        try (OutputStream closed = out) {
            closed.write(new byte[2 * BLOCK]);
        }
    }

    private void pad(long size) throws IOException {
        out.write(new byte[Math.floorMod(-size, BLOCK)]);
    }

    private void header(String name, int mode, long size, char type, String link) throws IOException {
        byte[] header = new byte[BLOCK];
        int split = split(name);
        text(header, 0, NAME, name.substring(split == 0 ? 0 : split + 1));
        text(header, 345, PREFIX, name.substring(0, split));
        number(header, 100, 8, mode);
        number(header, 108, 8, 0);
        number(header, 116, 8, 0);
        number(header, 124, 12, size);
        number(header, 136, 12, time.getEpochSecond());
        header[156] = (byte) type;
        text(header, 157, NAME, link);
        text(header, 257, 6, "ustar");
        text(header, 263, 2, "00");
        // The sum is computed with spaces in its place.
        Arrays.fill(header, 148, 156, (byte) ' ');
        int sum = 0;
        for (byte each : header) {
            sum += each & 0xff;
        }
        number(header, 148, 7, sum);
        out.write(header);
    }

    /** Where the name is cut into prefix and rest; 0 if it fits whole. */
    private static int split(String name) {
        if (name.length() <= NAME) {
            return 0;
        }
        int slash = name.indexOf('/', name.length() - NAME - 1);
        return slash < 0 || slash == name.length() - 1 ? 0 : slash;
    }

    private static void text(byte[] header, int offset, int length, String value) throws IOException {
        byte[] bytes = value.getBytes(StandardCharsets.UTF_8);
        if (bytes.length > length) {
            throw new IOException("The name " + value + " is too long for a tar archive");
        }
        System.arraycopy(bytes, 0, header, offset, bytes.length);
    }

    private static void number(byte[] header, int offset, int length, long value) {
        String digits = String.format(Locale.ROOT, "%0" + (length - 1) + "o", value);
        System.arraycopy(digits.getBytes(StandardCharsets.US_ASCII), 0, header, offset, length - 1);
        header[offset + length - 1] = 0;
    }
}
