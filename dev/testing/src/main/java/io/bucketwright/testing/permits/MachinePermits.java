package io.bucketwright.testing.permits;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.ReentrantLock;

/**
 * A number of permits that all processes with the same file share. Each permit is a lock on one byte of the file, which the
 * kernel releases when the process ends, however it ends.
 *
 * <p>Open a file only once in a process: closing it releases every lock of the process on it.
 */
final class MachinePermits implements AutoCloseable {

    private static final Duration POLL = Duration.ofMillis(200);

    private final FileChannel file;
    private final int total;
    /** Held while waiting, so that whoever came first gets the next permits, also if it needs several. */
    private final ReentrantLock turn = new ReentrantLock(true);

    private final Set<Integer> held = new HashSet<>();

    private MachinePermits(FileChannel file, int total) {
        this.file = file;
        this.total = total;
    }

    static MachinePermits open(Path file, int total) {
        try {
            Files.createDirectories(file.toAbsolutePath().getParent());
            return new MachinePermits(
                    FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE), total);
        } catch (IOException e) {
            throw new UncheckedIOException("Cannot open " + file, e);
        }
    }

    /**
     * Waits until that many permits are free, at most all of them, and takes them.
     *
     * @param waiting is called once if that takes waiting
     */
    Held acquire(int wanted, Runnable waiting) throws InterruptedException {
        Runnable once = once(waiting);
        // Not at once: classes of one build that start together take turns for a moment.
        if (!turn.tryLock(1, TimeUnit.SECONDS)) {
            once.run();
            turn.lockInterruptibly();
        }
        try (FileLock _ = turnOfThisProcess(once)) {
            return takeAll(Math.min(wanted, total), once);
        } catch (IOException e) {
            throw new UncheckedIOException("Cannot lock a file for the permits of test classes", e);
        } finally {
            turn.unlock();
        }
    }

    private static Runnable once(Runnable action) {
        AtomicBoolean done = new AtomicBoolean();
        return () -> {
            if (!done.getAndSet(true)) {
                action.run();
            }
        };
    }

    /** The byte behind the permits: whoever holds it is the only one that takes some. */
    private FileLock turnOfThisProcess(Runnable waiting) throws IOException {
        FileLock free = file.tryLock(total, 1, false);
        if (free != null) {
            return free;
        }
        waiting.run();
        return file.lock(total, 1, false);
    }

    private Held takeAll(int wanted, Runnable waiting) throws IOException, InterruptedException {
        List<FileLock> taken = new ArrayList<>();
        try {
            while (true) {
                for (int permit = 0; permit < total && taken.size() < wanted; permit++) {
                    take(permit, taken);
                }
                if (taken.size() == wanted) {
                    return new Held(taken);
                }
                waiting.run();
                // The kernel can wait for one byte, and not for any of them.
                Thread.sleep(POLL);
            }
        } catch (IOException | InterruptedException e) {
            taken.forEach(this::release);
            throw e;
        }
    }

    private synchronized void take(int permit, List<FileLock> taken) throws IOException {
        if (!held.contains(permit)) {
            FileLock lock = file.tryLock(permit, 1, false);
            if (lock != null) {
                held.add(permit);
                taken.add(lock);
            }
        }
    }

    private synchronized void release(FileLock lock) {
        try {
            held.remove(Math.toIntExact(lock.position()));
            lock.release();
        } catch (IOException e) {
            throw new UncheckedIOException("Cannot unlock a file for the permits of test classes", e);
        }
    }

    @Override
    public void close() throws IOException {
        file.close();
    }

    /** Permits that this process holds until it closes them. */
    final class Held implements AutoCloseable {
        private final List<FileLock> locks;

        private Held(List<FileLock> locks) {
            this.locks = List.copyOf(locks);
        }

        @Override
        public void close() {
            locks.forEach(MachinePermits.this::release);
        }
    }
}
