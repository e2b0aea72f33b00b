package io.bucketwright.testing;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AuditLogTest {

    @TempDir
    private Path folder;

    private Path file = Path.of("");

    @BeforeEach
    void create() throws IOException {
        file = Files.createFile(folder.resolve("audit.log"));
    }

    @Test
    void readsWhatWasAppendedSinceTheLastLook() throws IOException {
        AuditLog log = AuditLog.of(file);
        append(line("alice", "get") + "\n" + line("bob", "list") + "\n");
        assertThat(log.lines("alice")).containsExactly(line("alice", "get"));
        append(line("alice", "patch") + "\n");
        assertThat(log.lines("alice")).containsExactly(line("alice", "get"), line("alice", "patch"));
        assertThat(log.lines("bob")).hasSize(1);
        assertThat(log.lines("carol")).isEmpty();
    }

    @Test
    void aHalfWrittenLineIsReadOnceItIsWhole() throws IOException {
        AuditLog log = AuditLog.of(file);
        String line = line("alice", "ünïcödé");
        append(line.substring(0, 20));
        assertThat(log.lines("alice")).isEmpty();
        append(line.substring(20) + "\n");
        assertThat(log.lines("alice")).containsExactly(line);
    }

    @Test
    void aLineMayBeLongerThanTheBuffer() throws IOException {
        AuditLog log = AuditLog.of(file);
        String huge = line("alice", "x".repeat(1_000_000));
        append(line("alice", "get") + "\n" + huge + "\n" + line("alice", "list") + "\n");
        assertThat(log.lines("alice")).containsExactly(line("alice", "get"), huge, line("alice", "list"));
    }

    @Test
    void aNameInsideTheRequestIsNotItsUser() throws IOException {
        append("{\"user\":{\"username\":\"alice\"},\"objectRef\":{\"username\":\"bob\"}}\n");
        assertThat(AuditLog.of(file).lines("bob")).isEmpty();
        assertThat(AuditLog.of(file).lines("alice")).hasSize(1);
    }

    private void append(String text) throws IOException {
        Files.writeString(file, text, StandardOpenOption.APPEND);
    }

    private static String line(String user, String verb) {
        return "{\"verb\":\"" + verb + "\",\"user\":{\"username\":\"" + user + "\"}}";
    }
}
