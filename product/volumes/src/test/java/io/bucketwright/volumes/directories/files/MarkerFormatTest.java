package io.bucketwright.volumes.directories.files;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What lies on disks for years: the golden files may be added to, never changed. */
class MarkerFormatTest {

    private final MarkerFormat format = new MarkerFormat();
    private final Marker marker = SampleMarkers.marker("team-photos-vol", "uid-1", "root-1");

    @TempDir
    private Path root;

    @Test
    void aMarkerIsWrittenAsTheGoldenFileOfVersion1() throws IOException {
        assertThat(new String(format.write(marker), StandardCharsets.UTF_8)).isEqualTo(golden("marker-v1.json"));
    }

    @Test
    void theGoldenFilesOfVersion1AreRead() throws IOException {
        assertThat(format.marker(marker.name(), golden("marker-v1.json").getBytes(StandardCharsets.UTF_8)))
                .isEqualTo(marker);
        assertThat(format.identity(golden("root-v1.json").getBytes(StandardCharsets.UTF_8)))
                .isEqualTo(new RootIdentity("root-1", "cluster-1"));
    }

    @Test
    void anIdentityIsWrittenAsTheGoldenFileOfVersion1() throws IOException {
        assertThat(new String(format.write(new RootIdentity("root-1", "cluster-1")), StandardCharsets.UTF_8))
                .isEqualTo(golden("root-v1.json"));
    }

    @Test
    void aNewerVersionIsRejected() throws IOException {
        byte[] newer = golden("marker-v1.json")
                .replace("\"version\" : 1", "\"version\" : 2")
                .getBytes(StandardCharsets.UTF_8);
        assertThatThrownBy(() -> format.marker(marker.name(), newer))
                .isInstanceOf(MarkerFormat.FormatException.class)
                .hasMessageContaining("version 2")
                .hasMessageContaining("newer");
        DirectoryTree tree = SampleMarkers.tree(root);
        Files.write(root.resolve(".bucketwright/team-photos-vol.json"), newer);
        assertThat(tree.markers()).singleElement().isInstanceOf(MarkerFile.Invalid.class);
        assertThat(tree.createMarker(marker)).isFalse();
    }

    @Test
    void aMarkerWithAnotherNameOrMissingFieldsIsRejected() throws IOException {
        byte[] golden = golden("marker-v1.json").getBytes(StandardCharsets.UTF_8);
        assertThatThrownBy(() -> format.marker(new DirectoryName("other"), golden))
                .hasMessageContaining("copied or renamed");
        for (String broken : new String[] {"", "{", "[]", "{}", "{\"version\":1}", "{\"version\":1,\"name\":7}"}) {
            assertThatThrownBy(() -> format.marker(marker.name(), broken.getBytes(StandardCharsets.UTF_8)))
                    .as(broken)
                    .isInstanceOf(MarkerFormat.FormatException.class);
        }
    }

    private static String golden(String name) throws IOException {
        try (InputStream file = Objects.requireNonNull(MarkerFormatTest.class.getResourceAsStream(name))) {
            return new String(file.readAllBytes(), StandardCharsets.UTF_8);
        }
    }
}
