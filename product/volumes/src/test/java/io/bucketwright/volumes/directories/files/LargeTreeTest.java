package io.bucketwright.volumes.directories.files;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Trees that do not fit into the heap. {@code -Dbucketwright.tree.files=2000000 -Dbucketwright.tree.directories=300000} with
 * {@code -Dbucketwright.tree.heap=64m} is the large one; it takes minutes.
 */
class LargeTreeTest {

    private static final int FILES = Integer.getInteger("bucketwright.tree.files", 40_000);
    private static final int DIRECTORIES = Integer.getInteger("bucketwright.tree.directories", 2_000);
    private static final String HEAP = System.getProperty("bucketwright.tree.heap", "12m");
    /** The directories below are as deep as a removal goes. */
    private static final int DEPTH = 39;

    /** Long, as a tenant would choose them. */
    private static final String PREFIX = "x".repeat(240);

    @TempDir
    private Path root;

    private final Marker marker = SampleMarkers.marker("team-photos-vol", "uid-1", "root-1");
    private DirectoryTree tree;
    private Path directory;

    @BeforeEach
    void initialize() throws IOException {
        tree = SampleMarkers.tree(root);
        tree.createMarker(marker);
        tree.create(marker);
        directory = root.resolve("team-photos-vol");
    }

    @Test
    void aTreeLargerThanTheHeapIsMeasuredAndDeletedInSlices() throws Exception {
        for (int i = 0; i < FILES; i++) {
            Files.createFile(directory.resolve(PREFIX + i));
        }
        createDeep(DIRECTORIES);
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx" + HEAP,
                        "-XX:+UseSerialGC",
                        "-XX:TieredStopAtLevel=1",
                        "--enable-native-access=ALL-UNNAMED",
                        "-cp",
                        System.getProperty("java.class.path"),
                        LargeTreeTest.class.getName(),
                        root.toString())
                .redirectErrorStream(true)
                .start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(output).isZero();
        assertThat(output).contains("measured in several slices").contains("deleted in several slices");
        assertThat(root.resolve(".bucketwright/trash")).isEmptyDirectory();
    }

    /** Two lanes were held for minutes by directories that contain nothing. */
    @Test
    void emptyDirectoriesOfADeepTreeAreDeletedInSlicesToo() throws IOException {
        createDeep(500);
        Marker deleting = moveToTrash(tree, marker);
        AtomicInteger calls = new AtomicInteger();
        List<Integer> callsPerSlice = new ArrayList<>();
        boolean done = false;
        while (!done) {
            calls.set(0);
            done = tree.emptyTrash(deleting, () -> calls.incrementAndGet() <= 100);
            callsPerSlice.add(calls.get());
        }
        assertThat(callsPerSlice).hasSizeGreaterThan(8).allMatch(count -> count <= 101);
        assertThat(root.resolve(".bucketwright/trash")).isEmptyDirectory();
    }

    private void createDeep(int directories) throws IOException {
        Path deep = directory;
        for (int i = 0; i < DEPTH; i++) {
            deep = Files.createDirectory(deep.resolve("d"));
        }
        for (int i = 0; i < directories; i++) {
            Files.createDirectory(deep.resolve("" + i));
        }
    }

    private static Marker moveToTrash(DirectoryTree tree, Marker marker) throws IOException {
        Marker deleting = marker.deleting("");
        tree.replaceMarker(marker, deleting);
        tree.moveToTrash(deleting);
        return deleting;
    }

    /** Measures and deletes the tree, in a process with a small heap. */
    public static void main(String[] arguments) throws IOException {
        RootDirectory directory = new RootDirectory(Path.of(arguments[0]));
        DirectoryTree tree = new DirectoryTree(directory, directory.identity().orElseThrow());
        Marker marker = SampleMarkers.marker("team-photos-vol", "uid-1", "root-1");
        AtomicInteger calls = new AtomicInteger();
        int slices = 0;
        Measurement measured = Measurement.START;
        while (!measured.complete()) {
            measured = tree.measure(marker.name(), measured, () -> calls.incrementAndGet() % 10_000 != 0);
            slices++;
        }
        System.out.println(slices > 2 ? "measured in several slices" : "measured in " + slices);
        Marker deleting = moveToTrash(tree, marker);
        slices = 1;
        while (!tree.emptyTrash(deleting, () -> calls.incrementAndGet() % 10_000 != 0)) {
            slices++;
        }
        System.out.println(slices > 2 ? "deleted in several slices" : "deleted in " + slices);
    }
}
