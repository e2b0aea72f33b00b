package io.bucketwright.volumes.directories.files;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.bucketwright.volumes.directories.files.DirectoryTree.EntryType;
import io.bucketwright.volumes.directories.files.RootDirectory.RootUnavailableException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DirectoryTreeTest {

    @TempDir
    private Path root;

    @TempDir
    private Path elsewhere;

    private DirectoryTree tree;
    private Path directory;
    private final Marker marker = SampleMarkers.marker("team-photos-vol", "uid-1", "root-1");

    @BeforeEach
    void initialize() throws IOException {
        tree = SampleMarkers.tree(root);
        directory = root.resolve("team-photos-vol");
    }

    @Test
    void aMarkerIsWrittenOnceAndReplacesNoOther() throws IOException {
        assertThat(tree.createMarker(marker)).isTrue();
        assertThat(tree.createMarker(SampleMarkers.marker("team-photos-vol", "uid-2", "root-1")))
                .isFalse();
        assertThat(tree.markers()).containsExactly(new MarkerFile.Valid(marker));
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(root.resolve(".bucketwright"))))
                .isEqualTo("rwx------");
    }

    @Test
    void temporaryFilesOfACrashAreRemovedWhenTheRootIsOpened() throws IOException {
        Path unfinished = Files.writeString(root.resolve(".bucketwright/.tmp-1234"), "{\"vers");
        tree.createMarker(marker);
        // Another process may be writing it.
        tree.removeTemporaryFiles(Duration.ofHours(1));
        assertThat(tree.markers()).containsExactly(new MarkerFile.Valid(marker));
        assertThat(unfinished).exists();
        tree.removeTemporaryFiles(Duration.ofHours(-1));
        assertThat(tree.markers()).containsExactly(new MarkerFile.Valid(marker));
        assertThat(unfinished).doesNotExist();
    }

    /** The writer of a temporary file may remove it at the same time. */
    @Test
    void temporaryFilesThatAnotherProcessRemovesMeanwhileAreIgnored() throws Exception {
        Path system = root.resolve(".bucketwright");
        for (int i = 0; i < 2000; i++) {
            Files.createFile(system.resolve(".tmp-" + i));
        }
        try (ExecutorService processes = Executors.newFixedThreadPool(2)) {
            List<Future<Boolean>> removals = processes.invokeAll(Collections.nCopies(2, () -> {
                tree.removeTemporaryFiles(Duration.ofHours(-1));
                return true;
            }));
            for (Future<Boolean> removal : removals) {
                assertThat(removal.get()).isTrue();
            }
        }
        try (Stream<Path> left = Files.list(system)) {
            assertThat(left.map(file -> file.getFileName().toString())).noneMatch(name -> name.startsWith(".tmp-"));
        }
    }

    /** §2.2.6: the mode is set, not left to the umask. */
    @Test
    void settingOwnerModeAndSetgidBitIsIdempotent() throws IOException {
        tree.createMarker(marker);
        for (int i = 0; i < 2; i++) {
            tree.create(marker);
            tree.setOwner(marker);
        }
        assertThat(Files.getAttribute(directory, "unix:uid")).isEqualTo(1000);
        assertThat(Files.getAttribute(directory, "unix:gid")).isEqualTo(2000);
        assertThat((int) Files.getAttribute(directory, "unix:mode") & 07777).isEqualTo(02770);
    }

    @Test
    void withTheMarkerOfAnotherClaimNothingIsChanged() throws IOException {
        Marker late = SampleMarkers.marker("team-photos-vol", "uid-0", "root-1");
        createDirectory();
        Files.writeString(directory.resolve("file"), "mine");
        assertThatThrownBy(() -> tree.create(late)).hasMessageContaining("another claim");
        assertThatThrownBy(() -> tree.setOwner(late)).hasMessageContaining("another claim");
        assertThatThrownBy(() -> tree.replaceMarker(late, late.retained())).hasMessageContaining("another claim");
        tree.moveToTrash(late.deleting(""));
        assertThat(tree.removeIfEmpty(late)).isTrue();
        tree.removeMarker(late);
        assertThat(directory.resolve("file")).hasContent("mine");
        assertThat(tree.markers()).containsExactly(new MarkerFile.Valid(marker));
    }

    /** §4: chown and chmod follow links on a path; they must not reach what a link points to. */
    @Test
    void aLinkInPlaceOfADirectoryIsNotFollowed() throws IOException {
        Path victim = Files.createDirectory(elsewhere.resolve("victim"));
        Object before = Files.getAttribute(victim, "unix:uid");
        tree.createMarker(marker);
        Files.createSymbolicLink(directory, victim);
        assertThatThrownBy(() -> tree.create(marker)).isInstanceOf(SystemCallException.class);
        assertThatThrownBy(() -> tree.setOwner(marker)).isInstanceOf(SystemCallException.class);
        assertThat(Files.getAttribute(victim, "unix:uid")).isEqualTo(before);
        assertThat(tree.entryType(marker.name())).isEqualTo(EntryType.OTHER);
        tree.replaceMarker(marker, marker.deleting(""));
        assertThatThrownBy(() -> tree.moveToTrash(marker.deleting(""))).isInstanceOf(SystemCallException.class);
        assertThat(victim).exists();
    }

    @Test
    void deletionDoesNotFollowLinks() throws IOException {
        Path victim = Files.createDirectories(elsewhere.resolve("victim/deep"));
        Files.writeString(victim.resolve("file"), "precious");
        createDirectory();
        Files.createDirectories(directory.resolve("a/b/c"));
        Files.writeString(directory.resolve("a/b/c/file"), "x");
        Files.createSymbolicLink(directory.resolve("a/link"), victim.getParent());
        Files.createSymbolicLink(directory.resolve("loop"), directory);
        Marker deleting = moveToTrash();
        assertThat(directory).doesNotExist();
        assertThat(tree.emptyTrash(deleting, () -> true)).isTrue();
        assertThat(victim.resolve("file")).hasContent("precious");
        tree.moveToTrash(deleting);
        assertThat(tree.emptyTrash(deleting, () -> true)).isTrue();
    }

    @Test
    void aTreeDeeperThanTheLongestPathIsDeleted() throws IOException {
        createDirectory();
        Libc libc = new Libc();
        try (DirectoryHandle top = DirectoryHandle.root(libc, directory)) {
            DirectoryHandle current = top.openOrCreate("d", 0700);
            for (int i = 0; i < 3000; i++) {
                DirectoryHandle next = current.openOrCreate("deeper-and-deeper-" + i, 0000);
                current.close();
                current = next;
            }
            current.close();
        }
        Marker deleting = moveToTrash();
        int rounds = 0;
        while (!tree.emptyTrash(deleting, () -> true)) {
            rounds++;
            assertThat(rounds).isLessThan(1000);
        }
        assertThat(root.resolve(".bucketwright/trash")).isEmptyDirectory();
    }

    /** File names are bytes, in any encoding. */
    @Test
    void namesThatAreNotValidTextAreDeleted() throws IOException {
        createDirectory();
        byte[] name = {(byte) 0xff, (byte) 0xfe, '\n'};
        Libc libc = new Libc();
        int fd = libc.openDirectory(Libc.CURRENT_DIRECTORY, DirectoryHandle.bytes(directory.toString()));
        libc.close(libc.open(fd, name, Libc.CREATE_NEW, 0600));
        libc.call("Creating", name, libc.mkdirat, fd, new byte[] {(byte) 0xc3}, 0700);
        libc.close(fd);
        Marker deleting = moveToTrash();
        assertThat(tree.emptyTrash(deleting, () -> true)).isTrue();
        assertThat(root.resolve(".bucketwright/trash")).isEmptyDirectory();
    }

    @Test
    void removeIfEmptyKeepsADirectoryWithContent() throws IOException {
        createDirectory();
        Path file = Files.writeString(directory.resolve("file"), "x");
        assertThat(tree.removeIfEmpty(marker)).isFalse();
        Files.delete(file);
        assertThat(tree.removeIfEmpty(marker)).isTrue();
        assertThat(tree.removeIfEmpty(marker)).isTrue();
    }

    @Test
    void anArchivedDirectoryKeepsItsContentAndMarkerAndReplacesNoOther() throws IOException {
        createDirectory();
        Files.writeString(directory.resolve("file"), "kept");
        Marker deleting = SampleMarkers.archiving(marker);
        tree.replaceMarker(marker, deleting);
        tree.archive(deleting);
        tree.archive(deleting);
        Path archive = root.resolve(".bucketwright/archive");
        assertThat(archive.resolve(deleting.archive()).resolve("file")).hasContent("kept");
        assertThat(archive.resolve(deleting.archive() + ".json")).exists();
        tree.removeMarker(deleting);
        Marker again = SampleMarkers.marker("team-photos-vol", "uid-1", "root-1");
        tree.createMarker(again);
        tree.create(again);
        tree.replaceMarker(again, deleting);
        assertThatThrownBy(() -> tree.archive(deleting)).hasMessageContaining("already exists");
        assertThat(archive.resolve(deleting.archive()).resolve("file")).hasContent("kept");
    }

    @Test
    void aRootWithoutIdentityIsUnavailableNotEmpty() throws IOException {
        tree.createMarker(marker);
        Files.delete(root.resolve(".bucketwright/root.json"));
        assertThatThrownBy(() -> tree.markers())
                .isInstanceOf(RootUnavailableException.class)
                .hasMessageContaining("mounted");
        assertThatThrownBy(() -> tree.create(marker)).isInstanceOf(RootUnavailableException.class);
        assertThat(directory).doesNotExist();
    }

    @Test
    void anotherRootAtTheSamePathIsUnavailable() throws IOException {
        Files.delete(root.resolve(".bucketwright/root.json"));
        new RootDirectory(root).initialize(new RootIdentity("root-2", "cluster-1"));
        assertThatThrownBy(() -> tree.markers())
                .isInstanceOf(RootUnavailableException.class)
                .hasMessageContaining("root-2");
    }

    @Test
    void markersThatOtherUsersCouldWriteAreNotTrusted() throws IOException {
        Files.setPosixFilePermissions(root.resolve(".bucketwright"), PosixFilePermissions.fromString("rwxrwxrwx"));
        assertThatThrownBy(() -> tree.markers())
                .isInstanceOf(RootUnavailableException.class)
                .hasMessageContaining("0700");
    }

    @Test
    void aRootThatIsALinkIsRejected() throws IOException {
        Path link = Files.createSymbolicLink(elsewhere.resolve("link"), root);
        assertThatThrownBy(() -> new RootDirectory(link).identity()).isInstanceOf(RootUnavailableException.class);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "/", "relative", "/srv/../etc", "/srv/./x"})
    void aRootMustBeAnAbsoluteNormalizedPath(String path) {
        assertThatThrownBy(() -> new RootDirectory(Path.of(path))).isInstanceOf(IllegalArgumentException.class);
    }

    /** §2.2.2 and §4: base names such as "/", "." and ".." once meant the root itself or its parent. */
    @ParameterizedTest
    @ValueSource(
            strings = {"", ".", "..", "/", "a/b", "../victim", "a/../b", "a\0b", ".bucketwright", "A", "a_b", "-a"})
    void aDirectoryNameIsOnePathSegment(String name) {
        assertThatThrownBy(() -> new DirectoryName(name)).isInstanceOf(IllegalArgumentException.class);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", ".", "..", "a/b"})
    void aHandleRejectsNamesThatAreNotOnePathSegment(String name) throws IOException {
        try (DirectoryHandle top = DirectoryHandle.root(new Libc(), root)) {
            assertThatThrownBy(() -> top.open(name)).isInstanceOf(IllegalArgumentException.class);
            assertThatThrownBy(() -> top.removeDirectory(DirectoryHandle.bytes(name)))
                    .isInstanceOf(IllegalArgumentException.class);
            assertThatThrownBy(() -> top.create(name, 0700)).isInstanceOf(IllegalArgumentException.class);
        }
    }

    /** The low half of an inode number is not unique on a large XFS. */
    @Test
    void theIdsOfQuotaProjectsAreAllocatedOnceAndReleased() throws IOException {
        try (DirectoryHandle system = DirectoryHandle.root(new Libc(), root.resolve(".bucketwright"))) {
            int first = DirectoryTree.allocateProject(system);
            int second = DirectoryTree.allocateProject(system);
            assertThat(first).isEqualTo(DirectoryTree.FIRST_PROJECT);
            assertThat(second).isEqualTo(first + 1);
            DirectoryTree.releaseProject(system, first);
            assertThat(DirectoryTree.allocateProject(system)).isEqualTo(first);
        }
        assertThat(tree.markers()).isEmpty();
    }

    /** The file systems of build machines do not support project quotas. */
    @Test
    void aFileSystemWithoutProjectQuotaIsReported() throws IOException {
        createDirectory();
        assertThat(tree.setQuota(marker)).isFalse();
    }

    @Test
    void aMeasurementThatIsStoppedContinuesWhereItEnded() throws IOException {
        createDirectory();
        Files.createDirectories(directory.resolve("a/b"));
        Files.write(directory.resolve("a/b/file"), new byte[100_000]);
        for (int i = 0; i < 40; i++) {
            Files.write(Files.createDirectory(directory.resolve("a/" + i)).resolve("file"), new byte[5_000]);
        }
        Measurement whole = tree.measure(marker.name(), Measurement.START, () -> true);
        assertThat(whole.complete()).isTrue();
        assertThat(whole.bytes()).isBetween(300_000L, 900_000L);
        AtomicInteger calls = new AtomicInteger();
        Measurement measured = Measurement.START;
        int slices = 0;
        while (!measured.complete()) {
            measured = tree.measure(marker.name(), measured, () -> calls.incrementAndGet() % 7 != 0);
            slices++;
        }
        assertThat(slices).isGreaterThan(10);
        assertThat(measured).isEqualTo(whole);
        assertThat(tree.space().total()).isGreaterThan(tree.space().free());
    }

    /** A pod may remove what is being measured. */
    @Test
    void aMeasurementContinuesAboveADirectoryThatNoLongerExists() throws IOException {
        createDirectory();
        Path deep = Files.createDirectories(directory.resolve("a/b"));
        Files.createFile(deep.resolve("file"));
        AtomicInteger calls = new AtomicInteger();
        Measurement stopped = tree.measure(marker.name(), Measurement.START, () -> calls.incrementAndGet() < 3);
        assertThat(stopped.position()).hasSize(3);
        Files.delete(deep.resolve("file"));
        Files.delete(deep);
        assertThat(tree.measure(marker.name(), stopped, () -> true).complete()).isTrue();
    }

    @Test
    void failedWritesLeaveNoTemporaryFiles() throws IOException {
        Path system = root.resolve(".bucketwright");
        // A directory cannot be replaced by a file.
        Files.createDirectory(system.resolve("x.json"));
        try (DirectoryHandle handle = DirectoryHandle.root(new Libc(), system)) {
            assertThatThrownBy(() -> handle.replace("x.json", new byte[10])).isInstanceOf(SystemCallException.class);
        }
        try (Stream<Path> entries = Files.list(system)) {
            assertThat(entries.map(path -> path.getFileName().toString()))
                    .containsExactlyInAnyOrder("root.json", "x.json");
        }
    }

    @Test
    void markersOfAnotherUserAreNotTrusted() throws IOException {
        Files.setAttribute(root.resolve(".bucketwright"), "unix:uid", 1000);
        assertThatThrownBy(() -> tree.markers())
                .isInstanceOf(RootUnavailableException.class)
                .hasMessageContaining("owned by user 1000");
    }

    /** A directory that is missing when it should be archived has no archive that could be restored. */
    @Test
    void nothingIsArchivedOfAMissingDirectory() throws IOException {
        tree.createMarker(marker);
        Marker deleting = SampleMarkers.archiving(marker);
        tree.replaceMarker(marker, deleting);
        tree.archive(deleting);
        assertThat(root.resolve(".bucketwright/archive")).isEmptyDirectory();
    }

    @Test
    void anArchiveWithoutDirectoryIsNotRestored() throws IOException {
        createDirectory();
        Marker deleting = SampleMarkers.archiving(marker);
        tree.replaceMarker(marker, deleting);
        tree.archive(deleting);
        tree.removeMarker(deleting);
        Files.delete(root.resolve(".bucketwright/archive").resolve(deleting.archive()));
        DirectoryArchives archives = new DirectoryArchives(root);
        assertThat(archives.list())
                .containsExactly(new DirectoryArchives.ArchivedDirectory(deleting.archive(), deleting, false));
        assertThatThrownBy(() -> archives.restore(deleting.archive(), deleting.retained()))
                .hasMessageContaining("nothing to restore");
        assertThat(tree.markers()).isEmpty();
    }

    @Test
    void aDirectoryThatIsNoMountPointIsNotAcceptedAsOne() throws IOException {
        assertThatThrownBy(() -> tree.requireMountPoint())
                .isInstanceOf(RootUnavailableException.class)
                .hasMessageContaining("requireMountPoint");
        assertThat(new RootDirectory(Path.of("/proc")).isMountPoint()).isTrue();
    }

    private void createDirectory() throws IOException {
        tree.createMarker(marker);
        tree.create(marker);
    }

    private Marker moveToTrash() throws IOException {
        Marker deleting = marker.deleting("");
        tree.replaceMarker(marker, deleting);
        tree.moveToTrash(deleting);
        return deleting;
    }
}
