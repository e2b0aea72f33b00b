package io.bucketwright.cosi.adapter;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class VolumeFilesTest {

    @TempDir
    private Path root;

    @Test
    void whatIsWrittenIsReadAndTheNextSetReplacesTheWholeOfIt() throws IOException {
        VolumeFiles files = new VolumeFiles(root, OptionalInt.empty());
        assertThat(files.complete()).isFalse();
        files.write(content("one", "1", "two", "2"));
        assertThat(files.complete()).isTrue();
        assertThat(visible()).containsExactlyInAnyOrder("one", "two");
        files.write(content("one", "I", "three", "3"));
        assertThat(root.resolve("one")).hasContent("I");
        assertThat(root.resolve("three")).hasContent("3");
        assertThat(visible()).containsExactlyInAnyOrder("one", "three");
        assertThat(all()).hasSize(4);
    }

    @Test
    void theSameSetAgainMovesNothing() throws IOException {
        VolumeFiles files = new VolumeFiles(root, OptionalInt.empty());
        files.write(content("one", "1"));
        Path before = Files.readSymbolicLink(root.resolve("..data"));
        files.write(content("one", "1"));
        assertThat(Files.readSymbolicLink(root.resolve("..data"))).isEqualTo(before);
    }

    @Test
    void whatACrashLeftHalfWrittenIsCompletedAndSweptAway() throws IOException {
        VolumeFiles files = new VolumeFiles(root, OptionalInt.empty());
        files.write(content("one", "1"));
        Files.createDirectory(root.resolve("..half"));
        Files.writeString(root.resolve("..half").resolve("one"), "x");
        Files.createSymbolicLink(root.resolve("..swap"), Path.of("..half"));
        Files.delete(root.resolve("one"));
        files.write(content("one", "1"));
        assertThat(root.resolve("one")).hasContent("1");
        assertThat(all()).hasSize(3);
    }

    @Test
    void aLinkThatLeadsOutIsRemovedAndNotFollowed() throws IOException {
        Path outside = Files.createTempFile("outside", "");
        VolumeFiles files = new VolumeFiles(root, OptionalInt.empty());
        files.write(content("one", "1"));
        Files.createSymbolicLink(root.resolve("..evil"), outside);
        files.write(content("one", "2"));
        assertThat(outside).exists();
        assertThat(root.resolve("..evil")).doesNotExist();
        Files.delete(outside);
    }

    private List<String> visible() throws IOException {
        return all().stream().filter(name -> !name.startsWith("..")).toList();
    }

    private List<String> all() throws IOException {
        try (Stream<Path> entries = Files.list(root)) {
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
