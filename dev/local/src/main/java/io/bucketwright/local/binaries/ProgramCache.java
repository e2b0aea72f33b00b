package io.bucketwright.local.binaries;

import io.bucketwright.local.report.LocalClusterException;
import io.bucketwright.local.report.LocalClusterException.FileWork;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The folder in which built and downloaded programs are kept between runs: {@code $XDG_CACHE_HOME/bucketwright}. */
public record ProgramCache(Path root) {

    private static final String BUILD_LOCK = "lock-";

    /** Held while packages are downloaded: that need not wait for a build of minutes. */
    static final String DOWNLOAD_LOCK = "download-lock";

    public static ProgramCache of(Map<String, String> environment, Path home) {
        String configured = environment.getOrDefault("XDG_CACHE_HOME", "");
        Path base = configured.isBlank() ? home.resolve(".cache") : Path.of(configured);
        return new ProgramCache(base.resolve("bucketwright").toAbsolutePath());
    }

    Path resolve(String entry) {
        return root.resolve(entry);
    }

    /** Does the work while no other process holds this lock; {@code waiting} is called once if that takes waiting. */
    <T> T locked(String name, Runnable waiting, FileWork<T> work) {
        try {
            Files.createDirectories(root);
            try (FileChannel channel =
                            FileChannel.open(root.resolve(name), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
                    FileLock _ = lock(channel, waiting)) {
                return work.run();
            }
        } catch (IOException e) {
            throw new LocalClusterException(
                    "Cannot use the cache " + root + ": " + e + ". Set XDG_CACHE_HOME to another.", e);
        }
    }

    /** Removes everything in it; answers how many entries went. */
    public int clean() {
        return lockedAll(List.of(GoModule.values()));
    }

    private int lockedAll(List<GoModule> modules) {
        return modules.isEmpty()
                ? locked(DOWNLOAD_LOCK, () -> {}, this::removeAll)
                : locked(buildLock(modules.getFirst()), () -> {}, () -> lockedAll(modules.subList(1, modules.size())));
    }

    /** Held while the module is built. One lock for each: who needs one program does not wait for the build of another. */
    static String buildLock(GoModule module) {
        return BUILD_LOCK + module.folder();
    }

    private static boolean isLock(Path entry) {
        String name = entry.getFileName().toString();
        return name.equals(DOWNLOAD_LOCK) || name.startsWith(BUILD_LOCK);
    }

    private int removeAll() throws IOException {
        int removed = 0;
        try (Stream<Path> entries = Files.list(root)) {
            for (Path entry : entries.filter(path -> !isLock(path)).toList()) {
                remove(entry);
                removed++;
            }
        }
        return removed;
    }

    /** Removes a tree; what is missing already is no error. */
    static void remove(Path tree) throws IOException {
        if (!Files.exists(tree, LinkOption.NOFOLLOW_LINKS)) {
            return;
        }
        try (Stream<Path> paths = Files.walk(tree)) {
            for (Path path : paths.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(path);
            }
        }
    }

    private static FileLock lock(FileChannel channel, Runnable waiting) throws IOException {
        FileLock lock = tryLock(channel);
        if (lock == null) {
            waiting.run();
        }
        while (lock == null) {
            LocalClusterException.sleep(200, "Interrupted while another process changes the cache.");
            lock = tryLock(channel);
        }
        return lock;
    }

    private static @Nullable FileLock tryLock(FileChannel channel) throws IOException {
        try {
            return channel.tryLock();
        } catch (OverlappingFileLockException heldByAnotherThread) {
            return null;
        }
    }
}
