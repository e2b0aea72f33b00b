package io.bucketwright.volumes.directories;

import static io.bucketwright.testing.Eventually.await;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** §4: directories are replaced by links while the controller creates, changes and deletes them. */
class SwapIT extends DirectoryTestBase {

    private static final int CLAIMS = 12;

    /** Keeps the test from writing through its own links. */
    private final ReentrantLock swapping = new ReentrantLock();

    private final AtomicInteger filled = new AtomicInteger();

    @Test
    void linksInPlaceOfDirectoriesAreNeverFollowed() throws Exception {
        Path victim = Files.createDirectories(temporary.resolve("victim"));
        Files.writeString(victim.resolve("file"), "precious");
        Files.createDirectory(victim.resolve("inner"));
        Files.writeString(victim.resolve("inner/file"), "precious too");
        List<Object> before = traits(victim);
        AtomicBoolean stop = new AtomicBoolean();
        AtomicInteger swaps = new AtomicInteger();
        try (ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor()) {
            String storageClass = bench.start(Map.of("mode", "0777"));
            List<Path> places = IntStream.range(0, CLAIMS)
                    .mapToObj(i -> bench.directory("mine-" + i))
                    .toList();
            Future<Boolean> swapper = executor.submit(() -> swap(places, victim, stop, swaps));
            try {
                for (int round = 0; round < 3; round++) {
                    bindFillAndDelete(bench, storageClass, places, victim);
                }
            } finally {
                stop.set(true);
            }
            assertThat(swapper.get()).isTrue();
            assertThat(swaps.get()).isGreaterThan(50);
            assertThat(filled.get()).isGreaterThan(CLAIMS);
            assertThat(traits(victim)).isEqualTo(before);
            assertThat(victim.resolve("file")).hasContent("precious");
            assertThat(victim.resolve("inner/file")).hasContent("precious too");
            assertThat(DirectoryFixture.names(temporary)).containsExactly("root", "victim");
        }
    }

    private void bindFillAndDelete(DirectoryFixture bench, String storageClass, List<Path> places, Path victim)
            throws IOException {
        IntStream.range(0, CLAIMS).forEach(i -> bench.claim("mine-" + i, storageClass));
        await("some claims to be Bound")
                .until(() -> IntStream.range(0, CLAIMS)
                                .filter(i -> bench.isBound("mine-" + i))
                                .count()
                        > CLAIMS / 3);
        for (Path place : places) {
            fill(place, victim);
        }
        IntStream.range(0, CLAIMS).forEach(i -> bench.delete("mine-" + i));
        await("deletion of the claims")
                .until(() -> IntStream.range(0, CLAIMS)
                        .allMatch(i -> bench.get("mine-" + i).isEmpty()));
    }

    private static List<Object> traits(Path victim) throws IOException {
        return List.of(
                Files.getAttribute(victim, "unix:uid"),
                Files.getAttribute(victim, "unix:gid"),
                Files.getAttribute(victim, "unix:mode"),
                Files.getAttribute(victim.resolve("inner"), "unix:uid"),
                DirectoryFixture.names(victim));
    }

    private boolean swap(List<Path> places, Path victim, AtomicBoolean stop, AtomicInteger swaps) throws Exception {
        while (!stop.get()) {
            for (Path place : places) {
                swapping.lock();
                try {
                    swapOne(place, victim, swaps);
                } finally {
                    swapping.unlock();
                }
                Thread.sleep(5);
            }
        }
        return true;
    }

    private static void swapOne(Path place, Path victim, AtomicInteger swaps) throws Exception {
        Path aside = place.resolveSibling("aside");
        try {
            if (Files.isDirectory(place, LinkOption.NOFOLLOW_LINKS)) {
                Files.move(place, aside);
            }
            Files.createSymbolicLink(place, victim);
            swaps.incrementAndGet();
            Thread.sleep(2);
        } catch (NoSuchFileException | FileAlreadyExistsException e) {
            // The controller moved the directory to the trash, or created it, between two calls of this test.
            assertThat(e.getFile()).isIn(place.toString(), aside.toString());
        }
        if (Files.isSymbolicLink(place)) {
            Files.delete(place);
        }
        putBack(aside, place);
    }

    private static void putBack(Path aside, Path place) throws IOException {
        if (!Files.isDirectory(aside, LinkOption.NOFOLLOW_LINKS)) {
            return;
        }
        try {
            Files.move(aside, place);
        } catch (FileAlreadyExistsException made) {
            try (var left = Files.walk(aside)) {
                for (Path path : left.sorted(Comparator.reverseOrder()).toList()) {
                    Files.deleteIfExists(path);
                }
            }
        }
    }

    /** Creates links inside the volume, as any pod can. */
    private void fill(Path place, Path victim) throws IOException {
        swapping.lock();
        try {
            Files.createSymbolicLink(place.resolve("link"), victim);
            Files.createDirectory(place.resolve("directory"));
            Files.createSymbolicLink(place.resolve("directory/link"), victim.resolve("inner"));
            filled.incrementAndGet();
        } catch (NoSuchFileException | FileAlreadyExistsException e) {
            // The directory does not exist yet, is moved to the trash, or has the links of the round before.
            assertThat(e.getFile()).startsWith(place + "/");
        } finally {
            swapping.unlock();
        }
    }
}
