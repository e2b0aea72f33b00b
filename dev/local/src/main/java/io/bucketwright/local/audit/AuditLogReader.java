package io.bucketwright.local.audit;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.function.BiConsumer;

/** Reads the audit log of an API server, one JSON object a line, from where it ended the last time. */
public final class AuditLogReader {

    private static final String USERNAME = "\"username\":\"";
    private static final int BUFFER = 1 << 18;

    private final Path file;
    private long offset;

    public AuditLogReader(Path file) {
        this.file = file;
    }

    /** Passes each complete line since the last call, with the name of its user as it is in JSON, without quotes. */
    public synchronized void read(BiConsumer<String, String> lines) {
        try (FileChannel channel = FileChannel.open(file)) {
            ByteBuffer buffer = ByteBuffer.allocate(BUFFER);
            while (channel.read(buffer, offset) > 0) {
                int end = endOfLastLine(buffer);
                if (end == 0 && buffer.hasRemaining()) {
                    return;
                }
                if (end == 0) {
                    buffer = ByteBuffer.allocate(buffer.capacity() * 2);
                    continue;
                }
                new String(buffer.array(), 0, end, StandardCharsets.UTF_8)
                        .lines()
                        .forEach(line -> pass(line, lines));
                offset += end;
                buffer.clear();
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static int endOfLastLine(ByteBuffer buffer) {
        int end = buffer.position();
        while (end > 0 && buffer.get(end - 1) != '\n') {
            end--;
        }
        return end;
    }

    // The user's name is the first one in the line; parsing every line of a busy server would cost seconds.
    private static void pass(String line, BiConsumer<String, String> lines) {
        int start = line.indexOf(USERNAME) + USERNAME.length();
        int end = line.indexOf('"', start);
        if (start >= USERNAME.length() && end > start) {
            lines.accept(line.substring(start, end), line);
        }
    }
}
