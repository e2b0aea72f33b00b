package io.bucketwright.volumes.directories.files;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.bucketwright.volumes.directories.files.DirectoryTree.Found;
import io.bucketwright.volumes.directories.files.DirectoryTree.Standing;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PosixTreeTest {

    @TempDir
    private Path root;

    @TempDir
    private Path elsewhere;

    private DirectoryTree tree;
    private final Marker marker = Samples.marker("team-photos-vol", "uid-1", "root-1");

    @BeforeEach
    void initialize() throws IOException {
        tree = Samples.tree(root);
    }

    @Test
    void aMarkerIsWrittenOnceAndNeverOverAnother() throws IOException {
        assertThat(tree.record(marker)).isTrue();
        assertThat(tree.record(Samples.marker("team-photos-vol", "uid-2", "root-1")))
                .isFalse();
        assertThat(tree.markers()).containsExactly(new Found.Known(marker));
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(root.resolve(".bucketwright"))))
                .isEqualTo("rwx------");
    }

    @Test
    void whatACrashLeftHalfWrittenIsSweptAwayWhenTheRootIsOpened() throws IOException {
        Path unfinished = Files.writeString(root.resolve(".bucketwright/.tmp-1234"), "{\"vers");
        assertThat(tree.markers()).isEmpty();
        assertThat(unfinished).doesNotExist();
    }

    /** §2.2.6: the mode is set, not left to the umask. */
    @Test
    void ownerModeAndSetgidBitConvergeHoweverOftenTheyAreSet() throws IOException {
        tree.record(marker);
        for (int i = 0; i < 2; i++) {
            tree.make(marker);
            tree.own(marker);
        }
        Path directory = root.resolve("team-photos-vol");
        assertThat(Files.getAttribute(directory, "unix:uid")).isEqualTo(1000);
        assertThat(Files.getAttribute(directory, "unix:gid")).isEqualTo(2000);
        assertThat((int) Files.getAttribute(directory, "unix:mode") & 07777).isEqualTo(02770);
    }

    @Test
    void withoutItsMarkerOrWithAnothersNothingIsMadeOwnedTakenOrForgotten() throws IOException {
        Marker late = Samples.marker("team-photos-vol", "uid-0", "root-1");
        tree.record(marker);
        tree.make(marker);
        Files.writeString(root.resolve("team-photos-vol/file"), "mine");
        assertThatThrownBy(() -> tree.make(late)).hasMessageContaining("another claim's");
        assertThatThrownBy(() -> tree.own(late)).hasMessageContaining("another claim's");
        assertThatThrownBy(() -> tree.replace(late, late.retained())).hasMessageContaining("another claim's");
        tree.retire(late.leaving(""));
        assertThat(tree.removeIfEmpty(late)).isTrue();
        tree.removeMarker(late);
        assertThat(root.resolve("team-photos-vol/file")).hasContent("mine");
        assertThat(tree.markers()).containsExactly(new Found.Known(marker));
    }

    /** §4: chown and chmod follow links on a path; they must not reach what a link points to. */
    @Test
    void aLinkInThePlaceOfADirectoryIsNeitherOwnedNorEntered() throws IOException {
        Path victim = Files.createDirectory(elsewhere.resolve("victim"));
        Object before = Files.getAttribute(victim, "unix:uid");
        tree.record(marker);
        Files.createSymbolicLink(root.resolve("team-photos-vol"), victim);
        assertThatThrownBy(() -> tree.make(marker)).isInstanceOf(FileProblem.class);
        assertThatThrownBy(() -> tree.own(marker)).isInstanceOf(FileProblem.class);
        assertThat(Files.getAttribute(victim, "unix:uid")).isEqualTo(before);
        assertThat(tree.standing(marker.name())).isEqualTo(Standing.SOMETHING_ELSE);
        tree.replace(marker, marker.leaving(""));
        assertThatThrownBy(() -> tree.retire(marker.leaving(""))).isInstanceOf(FileProblem.class);
        assertThat(victim).exists();
    }

    @Test
    void whatIsRemovedIsTheTreeAndNeverWhatItsLinksPointTo() throws IOException {
        Path victim = Files.createDirectories(elsewhere.resolve("victim/deep"));
        Files.writeString(victim.resolve("file"), "precious");
        tree.record(marker);
        tree.make(marker);
        Path directory = root.resolve("team-photos-vol");
        Files.createDirectories(directory.resolve("a/b/c"));
        Files.writeString(directory.resolve("a/b/c/file"), "x");
        Files.createSymbolicLink(directory.resolve("a/link"), victim.getParent());
        Files.createSymbolicLink(directory.resolve("loop"), directory);
        Marker leaving = marker.leaving("");
        tree.replace(marker, leaving);
        tree.retire(leaving);
        assertThat(directory).doesNotExist();
        assertThat(tree.empty(leaving, () -> true)).isTrue();
        assertThat(victim.resolve("file")).hasContent("precious");
        tree.retire(leaving);
        assertThat(tree.empty(leaving, () -> true)).isTrue();
    }

    @Test
    void aHugeTreeGoesInSlicesThatTakeUpWhereTheLastOneStopped() throws IOException {
        tree.record(marker);
        tree.make(marker);
        for (int i = 0; i < 1000; i++) {
            Files.createFile(root.resolve("team-photos-vol/" + i));
        }
        Marker leaving = marker.leaving("");
        tree.replace(marker, leaving);
        tree.retire(leaving);
        int slices = 1;
        AtomicInteger calls = new AtomicInteger();
        while (!tree.empty(leaving, () -> calls.incrementAndGet() % 101 != 0)) {
            slices++;
        }
        assertThat(slices).isEqualTo(10);
    }

    @Test
    void aTreeDeeperThanAnyPathCanSayIsRemoved() throws IOException {
        tree.record(marker);
        tree.make(marker);
        Libc libc = new Libc();
        try (Dir top = Dir.root(libc, root.resolve("team-photos-vol"))) {
            Dir current = top.openOrMake("d", 0700);
            for (int i = 0; i < 3000; i++) {
                Dir next = current.openOrMake("deeper-and-deeper-" + i, 0000);
                current.close();
                current = next;
            }
            current.close();
        }
        Marker leaving = marker.leaving("");
        tree.replace(marker, leaving);
        tree.retire(leaving);
        int rounds = 0;
        while (!tree.empty(leaving, () -> true)) {
            rounds++;
            assertThat(rounds).isLessThan(1000);
        }
        assertThat(root.resolve(".bucketwright/trash")).isEmptyDirectory();
    }

    /** Names in a volume are bytes; no encoding of ours may keep one from being removed. */
    @Test
    void namesThatAreNoTextAreRemovedToo() throws IOException {
        tree.record(marker);
        tree.make(marker);
        byte[] name = {(byte) 0xff, (byte) 0xfe, '\n'};
        Libc libc = new Libc();
        int directory = libc.openDirectory(Libc.CURRENT_DIRECTORY, Dir.bytes(root + "/team-photos-vol"));
        libc.close(libc.open(directory, name, Libc.CREATE_NEW, 0600));
        libc.makeDirectory(directory, new byte[] {(byte) 0xc3}, 0700);
        libc.close(directory);
        Marker leaving = marker.leaving("");
        tree.replace(marker, leaving);
        tree.retire(leaving);
        assertThat(tree.empty(leaving, () -> true)).isTrue();
        assertThat(root.resolve(".bucketwright/trash")).isEmptyDirectory();
    }

    @Test
    void onlyAnEmptyDirectoryIsTakenBackBeforeItsVolumeWasMade() throws IOException {
        tree.record(marker);
        tree.make(marker);
        Path file = Files.writeString(root.resolve("team-photos-vol/file"), "x");
        assertThat(tree.removeIfEmpty(marker)).isFalse();
        Files.delete(file);
        assertThat(tree.removeIfEmpty(marker)).isTrue();
        assertThat(tree.removeIfEmpty(marker)).isTrue();
    }

    @Test
    void anArchivedDirectoryKeepsItsContentAndItsRecordAndReplacesNone() throws IOException {
        tree.record(marker);
        tree.make(marker);
        Files.writeString(root.resolve("team-photos-vol/file"), "kept");
        Marker leaving = Samples.archived(marker);
        tree.replace(marker, leaving);
        tree.archive(leaving);
        tree.archive(leaving);
        Path archive = root.resolve(".bucketwright/archive");
        assertThat(archive.resolve(leaving.archive()).resolve("file")).hasContent("kept");
        assertThat(archive.resolve(leaving.archive() + ".json")).exists();
        tree.removeMarker(leaving);
        Marker again = Samples.marker("team-photos-vol", "uid-1", "root-1");
        tree.record(again);
        tree.make(again);
        tree.replace(again, leaving);
        assertThatThrownBy(() -> tree.archive(leaving)).hasMessageContaining("exists already");
        assertThat(archive.resolve(leaving.archive()).resolve("file")).hasContent("kept");
    }

    @Test
    void aRootWithoutItsIdentityIsLostNotEmpty() throws IOException {
        tree.record(marker);
        Files.delete(root.resolve(".bucketwright/root.json"));
        assertThatThrownBy(() -> tree.markers()).isInstanceOf(RootLost.class).hasMessageContaining("mounted");
        assertThatThrownBy(() -> tree.make(marker)).isInstanceOf(RootLost.class);
        assertThat(root.resolve("team-photos-vol")).doesNotExist();
    }

    @Test
    void anotherDiskInThePlaceOfTheRootIsNoticed() throws IOException {
        Files.delete(root.resolve(".bucketwright/root.json"));
        new PosixRoot(root).initialize(new RootIdentity("root-2", "cluster-1"));
        assertThatThrownBy(() -> tree.markers()).isInstanceOf(RootLost.class).hasMessageContaining("root-2");
    }

    @Test
    void markersThatOthersCouldHaveWrittenProveNothing() throws IOException {
        Files.setPosixFilePermissions(root.resolve(".bucketwright"), PosixFilePermissions.fromString("rwxrwxrwx"));
        assertThatThrownBy(() -> tree.markers()).isInstanceOf(RootLost.class).hasMessageContaining("0700");
    }

    @Test
    void aRootThatIsALinkIsRefused() throws IOException {
        Path link = Files.createSymbolicLink(elsewhere.resolve("link"), root);
        assertThatThrownBy(() -> new PosixRoot(link).identity()).isInstanceOf(RootLost.class);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "/", "relative", "/srv/../etc", "/srv/./x"})
    void aRootIsAnAbsolutePathThatGoesNowhereElse(String path) {
        assertThatThrownBy(() -> new PosixRoot(Path.of(path))).isInstanceOf(IllegalArgumentException.class);
    }

    /** §2.2.2 and §4: base names such as "/", "." and ".." once meant the root itself or its parent. */
    @ParameterizedTest
    @ValueSource(
            strings = {"", ".", "..", "/", "a/b", "../victim", "a/../b", "a\0b", ".bucketwright", "A", "a_b", "-a"})
    void aNameIsOneSegmentAndNothingElse(String name) {
        assertThatThrownBy(() -> new AssetName(name)).isInstanceOf(IllegalArgumentException.class);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", ".", "..", "a/b"})
    void evenWhatIsNoAssetNameCannotLeaveItsDirectory(String name) throws IOException {
        try (Dir top = Dir.root(new Libc(), root)) {
            assertThatThrownBy(() -> top.open(name)).isInstanceOf(IllegalArgumentException.class);
            assertThatThrownBy(() -> top.removeDirectory(Dir.bytes(name))).isInstanceOf(IllegalArgumentException.class);
            assertThatThrownBy(() -> top.make(name, 0700)).isInstanceOf(IllegalArgumentException.class);
        }
    }

    /** The file systems of a build machine have none; where one has, the size is enforced. */
    @Test
    void aFileSystemWithoutProjectQuotaSaysSo() throws IOException {
        tree.record(marker);
        tree.make(marker);
        assertThat(tree.limit(marker)).isFalse();
    }

    @Test
    void whatADirectoryTakesUpIsMeasuredAsFarAsItIsAllowedTo() throws IOException {
        tree.record(marker);
        tree.make(marker);
        Files.createDirectories(root.resolve("team-photos-vol/a/b"));
        Files.write(root.resolve("team-photos-vol/a/b/file"), new byte[100_000]);
        assertThat(tree.measure(marker.name(), () -> true).bytes()).isBetween(100_000L, 200_000L);
        assertThat(tree.measure(marker.name(), () -> true).whole()).isTrue();
        assertThat(tree.measure(marker.name(), () -> false).whole()).isFalse();
        assertThat(tree.space().total()).isGreaterThan(tree.space().free());
    }
}
