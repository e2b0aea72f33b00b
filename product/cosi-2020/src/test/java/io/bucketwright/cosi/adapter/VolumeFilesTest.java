package io.bucketwright.cosi.adapter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class VolumeFilesTest {

    @TempDir
    private Path store;

    @TempDir
    private Path outside;

    @Test
    void whatIsWrittenIsReadAndTheNextSetReplacesTheWholeOfIt() throws IOException {
        write("one", "1", "two", "2");
        assertThat(visible()).containsExactlyInAnyOrder("one", "two");
        write("one", "I", "three", "3");
        assertThat(root().resolve("one")).hasContent("I");
        assertThat(root().resolve("three")).hasContent("3");
        assertThat(visible()).containsExactlyInAnyOrder("one", "three");
        assertThat(all(root())).hasSize(4);
        assertThat(all(store)).containsExactly("files");
    }

    @Test
    void theDigestDependsOnEachNameAndContent() {
        assertThat(List.of(content("a", "1"), content("a", "2"), content("b", "1"), content("a1", ""), content()))
                .extracting(VolumeFiles::digest)
                .doesNotHaveDuplicates();
        assertThat(VolumeFiles.digest(content("a", "1", "b", "2")))
                .isEqualTo(VolumeFiles.digest(content("b", "2", "a", "1")));
    }

    @Test
    void whatACrashLeftHalfWrittenIsRemoved() throws IOException {
        write("one", "1");
        for (Path place : List.of(store, root())) {
            Files.createDirectory(place.resolve("..half"));
            Files.writeString(place.resolve("..half").resolve("one"), "x");
        }
        Files.createSymbolicLink(store.resolve("link"), Path.of("..half"));
        Files.delete(root().resolve("one"));
        write("one", "1");
        assertThat(root().resolve("one")).hasContent("1");
        assertThat(all(root())).hasSize(3);
        assertThat(all(store)).containsExactly("files");
    }

    @Test
    void linksOfAPodAreNeitherFollowedNorKept() throws IOException {
        Files.writeString(outside.resolve("one"), "theirs");
        Files.setPosixFilePermissions(outside, PosixFilePermissions.fromString("rwx------"));
        write("one", "1");
        Path set = root().resolve(Files.readSymbolicLink(root().resolve("..data")));
        Files.delete(set.resolve("one"));
        Files.delete(set);
        Files.createSymbolicLink(set, outside);
        for (String name : List.of("..data", "one")) {
            Files.delete(root().resolve(name));
            Files.createSymbolicLink(root().resolve(name), outside);
        }
        Files.createSymbolicLink(root().resolve("..evil"), outside);
        write("one", "2");
        assertThat(root().resolve("one")).hasContent("2");
        assertThat(all(root())).hasSize(3);
        assertThat(all(outside)).containsExactly("one");
        assertThat(outside.resolve("one")).hasContent("theirs");
        assertThat(Files.getPosixFilePermissions(outside)).isEqualTo(PosixFilePermissions.fromString("rwx------"));
    }

    @Test
    void filesOfAPodAreNotReadHoweverLargeAndItsDirectoriesAreNotDescendedInto() throws IOException {
        write("one", "1");
        try (RandomAccessFile huge =
                new RandomAccessFile(root().resolve("..huge").toFile(), "rw")) {
            huge.setLength(1L << 40);
        }
        Files.createDirectories(root().resolve("mine/deep/deeper"));
        write("one", "2");
        assertThat(root().resolve("one")).hasContent("2");
        assertThat(root().resolve("..huge")).doesNotExist();
        assertThat(root().resolve("mine/deep/deeper")).exists();
    }

    @Test
    void aDirectoryThatReplacedTheVisibleOneByALinkIsRefused() throws IOException {
        Files.createSymbolicLink(store.resolve("files"), outside);
        assertThatThrownBy(() -> write("one", "1")).isInstanceOf(IOException.class);
        assertThat(outside).isEmptyDirectory();
    }

    private void write(String... pairs) throws IOException {
        new VolumeFiles(store, OptionalInt.empty()).write(content(pairs));
    }

    private Path root() {
        return store.resolve("files");
    }

    private List<String> visible() throws IOException {
        return all(root()).stream().filter(name -> !name.startsWith("..")).toList();
    }

    private static List<String> all(Path directory) throws IOException {
        try (Stream<Path> entries = Files.list(directory)) {
            return entries.map(entry -> String.valueOf(entry.getFileName())).toList();
        }
    }

    private static Map<String, byte[]> content(String... pairs) {
        Map<String, byte[]> files = new HashMap<>();
        for (int i = 0; i < pairs.length; i += 2) {
            files.put(pairs[i], pairs[i + 1].getBytes(StandardCharsets.UTF_8));
        }
        return files;
    }
}
