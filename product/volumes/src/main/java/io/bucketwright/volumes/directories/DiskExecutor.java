package io.bucketwright.volumes.directories;

import io.bucketwright.runtime.TimeSource;
import io.bucketwright.runtime.controller.Outcome;
import io.bucketwright.runtime.controller.Result;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.SequencedSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A bounded number of threads for operations on one disk. A disk that hangs blocks these threads but not the controller's
 * workers: a worker waits two seconds for an operation, then continues with other keys, and the key is requeued when the
 * operation completes. A worker that finds all threads busy does not wait either; its key is requeued when one is free.
 * A requeued key may no longer need the disk, and then another one is requeued after a moment. When an operation has been
 * running for too long, all keys that wait are requeued, so that the disk that hangs can be reported.
 */
final class DiskExecutor implements AutoCloseable {

    private static final Duration WORKER_TIMEOUT = Duration.ofSeconds(2);

    private static final Duration REQUEUE_INTERVAL = Duration.ofMillis(100);

    private final ExecutorService threads;
    private final Duration maximum;
    private final TimeSource time;
    private final Runnable onHanging;

    private final Map<Runnable, Late> unfinished = new ConcurrentHashMap<>();
    /** Also guards the number of free threads. */
    private final SequencedSet<Runnable> waiting = new LinkedHashSet<>();

    private int free;

    /** An operation that takes longer than a worker waits. */
    private record Late(CompletableFuture<Outcome> outcome, long startNanos) {}

    /**
     * Threads of one disk.
     *
     * @param maximum an operation that is running for longer hangs
     * @param onHanging called when an operation hangs; must not block
     */
    DiskExecutor(String name, int size, Duration maximum, TimeSource time, Runnable onHanging) {
        // Platform threads: a virtual thread in a system call that hangs would block one of the few carrier threads
        // of all virtual threads.
        this.threads = Executors.newCachedThreadPool(
                Thread.ofPlatform().daemon().name(name + "-", 1).factory());
        this.free = size;
        this.maximum = maximum;
        this.time = time;
        this.onHanging = onHanging;
    }

    /** Whether an operation is running for too long. */
    boolean isHanging() {
        long now = time.nanos();
        return unfinished.values().stream()
                .anyMatch(late -> !late.outcome().isDone() && now - late.startNanos() >= maximum.toNanos());
    }

    /** The key no longer needs the disk. */
    void forget(Runnable requeue) {
        synchronized (waiting) {
            waiting.remove(requeue);
        }
        unfinished.computeIfPresent(requeue, (_, late) -> late.outcome().isDone() ? null : late);
    }

    /**
     * The number of keys that wait for a thread, whose operation runs for longer than a worker waits, or whose late result has
     * not been read.
     */
    int size() {
        synchronized (waiting) {
            return waiting.size() + unfinished.size();
        }
    }

    /** Runs the operation. {@code Pending} means that it is still running or not started; the key is requeued later. */
    Outcome run(Runnable requeue, Supplier<Outcome> operation) throws InterruptedException {
        @Nullable Late earlier = unfinished.get(requeue);
        if (earlier != null && !earlier.outcome().isDone()) {
            return Outcome.finish(Result.pending());
        }
        try {
            if (earlier != null) {
                unfinished.remove(requeue);
                if (earlier.outcome().get() instanceof Outcome.Finish late) {
                    return late;
                }
            }
            return acquire(requeue) ? start(requeue, operation) : Outcome.finish(Result.pending());
        } catch (ExecutionException e) {
            throw e.getCause() instanceof RuntimeException cause ? cause : new IllegalStateException(e.getCause());
        }
    }

    private Outcome start(Runnable requeue, Supplier<Outcome> operation)
            throws InterruptedException, ExecutionException {
        long start = time.nanos();
        CompletableFuture<Outcome> running = CompletableFuture.supplyAsync(() -> runAndRelease(operation), threads);
        try {
            return running.get(WORKER_TIMEOUT.toNanos(), TimeUnit.NANOSECONDS);
        } catch (TimeoutException e) {
            unfinished.put(requeue, new Late(running, start));
            TimeSource.Alarm alarm = time.after(maximum.minus(WORKER_TIMEOUT), () -> reportHanging(requeue));
            CompletableFuture<?> _ = running.whenComplete((_, _) -> {
                alarm.cancel();
                requeue.run();
            });
            return Outcome.finish(Result.pending());
        }
    }

    @Override
    public void close() {
        threads.shutdownNow();
    }

    private boolean acquire(Runnable requeue) {
        synchronized (waiting) {
            if (free == 0) {
                waiting.add(requeue);
                return false;
            }
            free--;
            waiting.remove(requeue);
            return true;
        }
    }

    private void reportHanging(Runnable requeue) {
        Collection<Runnable> all = new ArrayList<>(List.of(requeue));
        synchronized (waiting) {
            all.addAll(waiting);
        }
        all.forEach(Runnable::run);
        onHanging.run();
    }

    private Outcome runAndRelease(Supplier<Outcome> operation) {
        try {
            return operation.get();
        } finally {
            synchronized (waiting) {
                free++;
            }
            requeueNext();
        }
    }

    private void requeueNext() {
        @Nullable Runnable next;
        synchronized (waiting) {
            next = free == 0 || waiting.isEmpty() ? null : waiting.removeFirst();
        }
        if (next != null) {
            next.run();
            CompletableFuture.delayedExecutor(REQUEUE_INTERVAL.toMillis(), TimeUnit.MILLISECONDS, threads)
                    .execute(this::requeueNext);
        }
    }
}
