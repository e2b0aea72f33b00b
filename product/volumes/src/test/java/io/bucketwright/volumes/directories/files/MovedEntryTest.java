package io.bucketwright.volumes.directories.files;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** System calls on a network file system may take effect late, when the name belongs to another claim. */
class MovedEntryTest {

    @TempDir
    private Path root;

    private final Libc libc = new Libc();

    @Test
    void aDirectoryThatTookTheNameMeanwhileIsMovedBack() throws IOException {
        Path old = Files.createDirectory(root.resolve("volume"));
        Path trash = Files.createDirectory(root.resolve("trash"));
        try (DirectoryHandle top = DirectoryHandle.root(libc, root);
                DirectoryHandle opened = top.open("volume");
                DirectoryHandle to = top.open("trash")) {
            Files.move(old, root.resolve("elsewhere"));
            Files.createDirectory(old);
            Files.writeString(old.resolve("file"), "of another claim");
            assertThatThrownBy(() -> top.move(bytes("volume"), opened, to, bytes("uid-1")))
                    .hasMessageContaining("was replaced");
            assertThat(old.resolve("file")).hasContent("of another claim");
            assertThat(trash).isEmptyDirectory();
        }
    }

    @Test
    void aFileThatTookTheNameMeanwhileIsPutBack() throws IOException {
        Path file = Files.writeString(root.resolve("marker.json"), "one");
        AtomicInteger reads = new AtomicInteger();
        try (DirectoryHandle top = DirectoryHandle.root(libc, root)) {
            top.remove("marker.json", content -> {
                boolean mine = Arrays.equals(content, "one".getBytes(StandardCharsets.UTF_8));
                if (reads.getAndIncrement() == 0) {
                    // After the check and before the removal.
                    Files.writeString(file, "two");
                }
                return mine;
            });
            assertThat(file).hasContent("two");
            top.remove("marker.json", _ -> true);
        }
        assertThat(root).isEmptyDirectory();
    }

    /** An error is not the end of the directory: a removal would go on as if it were empty. */
    @Test
    void anErrorWhileListingIsReported() throws IOException {
        Path file = Files.createFile(root.resolve("file"));
        int fd = libc.open(Libc.CURRENT_DIRECTORY, bytes(file.toString()), Libc.READ_ONLY, 0);
        try (DirectoryListing listing = new DirectoryListing(libc, fd, bytes("volume"))) {
            assertThatThrownBy(listing::next)
                    .isInstanceOf(SystemCallException.class)
                    .hasMessageContaining("Listing volume: not a directory");
        }
    }

    /** O_NOFOLLOW of x86 is O_DIRECT on powerpc. */
    @Test
    void anUnknownArchitectureIsRejected() {
        assertThatThrownBy(() -> new Libc("ppc64le"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("ppc64le");
    }

    private static byte[] bytes(String text) {
        return DirectoryHandle.bytes(text);
    }
}
