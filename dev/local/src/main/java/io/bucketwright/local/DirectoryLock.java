package io.bucketwright.local;

import io.bucketwright.local.report.LocalClusterException;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Optional;

/** Keeps two commands from changing the same cluster at once. Held by a process, so that none is ever stale. */
record DirectoryLock(FileChannel channel) implements AutoCloseable {

    static DirectoryLock acquire(Path dir) {
        Path file = dir.resolve("lock");
        while (true) {
            try {
                Optional<DirectoryLock> lock = attempt(file);
                if (lock.isPresent()) {
                    return lock.get();
                }
            } catch (OverlappingFileLockException e) {
                throw new LocalClusterException("This process is already changing the cluster in " + dir + ".", e);
            } catch (IOException e) {
                throw new LocalClusterException("Cannot lock " + dir + ": " + e + ".", e);
            }
        }
    }

    // A `down` that we waited for removed the file we locked: then another locks its successor without us.
    private static Optional<DirectoryLock> attempt(Path file) throws IOException {
        FileChannel channel = FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        boolean held = false;
        try {
            FileLock lock = channel.lock();
            held = lock.isValid() && Files.exists(file);
            return held ? Optional.of(new DirectoryLock(channel)) : Optional.empty();
        } finally {
            if (!held) {
                channel.close();
            }
        }
    }

    @Override
    public void close() {
        try {
            channel.close();
        } catch (IOException e) {
            throw new LocalClusterException("Cannot release the lock of a cluster.", e);
        }
    }
}
