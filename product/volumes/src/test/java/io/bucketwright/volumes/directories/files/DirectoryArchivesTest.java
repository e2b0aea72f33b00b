package io.bucketwright.volumes.directories.files;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.bucketwright.volumes.directories.files.DirectoryArchives.ArchivedDirectory;
import io.bucketwright.volumes.directories.files.DirectoryArchives.UnreadableArchive;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DirectoryArchivesTest {

    @TempDir
    private Path root;

    private Path archive;
    private DirectoryArchives archives;
    private final Marker archived = SampleMarkers.archiving(SampleMarkers.marker("team-photos-vol", "uid-1", "root-1"));

    @BeforeEach
    void archiveOneDirectory() throws IOException {
        DirectoryTree tree = SampleMarkers.tree(root);
        tree.createMarker(archived);
        Files.createDirectory(root.resolve("team-photos-vol"));
        tree.archive(archived);
        tree.removeMarker(archived);
        archive = root.resolve(".bucketwright/archive");
        archives = new DirectoryArchives(root);
    }

    /** A newer release may have written it before a downgrade. */
    @Test
    void aMarkerThatCannotBeReadDoesNotHideTheOtherArchives() throws IOException {
        Files.writeString(archive.resolve("newer.json"), "{\"version\": 99}");
        assertThat(archives.list())
                .containsExactly(
                        new UnreadableArchive(
                                "newer",
                                "The marker of archive newer has format version 99, and this release supports up to 1:"
                                        + " use a newer release"),
                        new ArchivedDirectory(archived.archive(), archived, true));
        assertThatThrownBy(() -> archives.find("newer"))
                .hasMessageStartingWith("The marker of archive newer has format");

        archives.restore(archived.archive(), archives.find(archived.archive()).retained());
        assertThat(root.resolve("team-photos-vol")).isDirectory();
        assertThat(archive.resolve("newer.json")).exists();
    }

    @Test
    void onlyANameThatIsListedIsFound() throws IOException {
        Files.copy(archive.resolve(archived.archive() + ".json"), root.resolve(".bucketwright/other.json"));
        assertThat(archives.find(archived.archive())).isEqualTo(archived);
        assertThatThrownBy(() -> archives.find("../other")).hasMessage("There is no archive ../other");
        assertThatThrownBy(() -> archives.find("unknown")).hasMessage("There is no archive unknown");
    }
}
