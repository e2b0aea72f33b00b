package io.bucketwright.volumes.directories.roots;

import io.bucketwright.runtime.TimeSource;
import io.bucketwright.runtime.controller.Outcome;
import io.bucketwright.runtime.controller.Result;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SequencedMap;
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
    /** The start times of running operations, by operation id. */
    private final Map<Object, Long> started = new ConcurrentHashMap<>();

    private final Map<Object, CompletableFuture<Outcome>> unfinished = new ConcurrentHashMap<>();
    /** Also guards the number of free threads. */
    private final SequencedMap<Object, Runnable> waiting = new LinkedHashMap<>();

    private int free;

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
        return started.values().stream().anyMatch(start -> now - start >= maximum.toNanos());
    }

    /** The key no longer needs the disk. */
    void forget(Object key) {
        synchronized (waiting) {
            waiting.remove(key);
        }
        unfinished.computeIfPresent(key, (_, operation) -> operation.isDone() ? null : operation);
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

    /** Runs the operation. {@code Done} means that it is still running or not started; the key is requeued later. */
    Outcome run(RootCaller caller, Supplier<Outcome> operation) throws InterruptedException {
        @Nullable CompletableFuture<Outcome> earlier = unfinished.get(caller.key());
        if (earlier != null) {
            if (!earlier.isDone()) {
                return Outcome.finish(Result.done());
            }
            unfinished.remove(caller.key());
            Outcome late = result(earlier);
            if (late instanceof Outcome.Finish) {
                return late;
            }
        }
        if (!acquire(caller)) {
            return Outcome.finish(Result.done());
        }
        Object id = new Object();
        started.put(id, time.nanos());
        CompletableFuture<Outcome> running = CompletableFuture.supplyAsync(() -> runAndRelease(id, operation), threads);
        try {
            return running.get(WORKER_TIMEOUT.toNanos(), TimeUnit.NANOSECONDS);
        } catch (TimeoutException e) {
            unfinished.put(caller.key(), running);
            TimeSource.Alarm alarm = time.after(maximum.minus(WORKER_TIMEOUT), () -> reportHanging(caller));
            CompletableFuture<?> _ = running.whenComplete((_, _) -> {
                alarm.cancel();
                caller.requeue().run();
            });
            return Outcome.finish(Result.done());
        } catch (ExecutionException e) {
            throw cause(e);
        }
    }

    @Override
    public void close() {
        threads.shutdownNow();
    }

    private boolean acquire(RootCaller caller) {
        synchronized (waiting) {
            if (free == 0) {
                waiting.put(caller.key(), caller.requeue());
                return false;
            }
            free--;
            waiting.remove(caller.key());
            return true;
        }
    }

    private void reportHanging(RootCaller caller) {
        Collection<Runnable> all = new ArrayList<>(List.of(caller.requeue()));
        synchronized (waiting) {
            all.addAll(waiting.values());
        }
        all.forEach(Runnable::run);
        onHanging.run();
    }

    private Outcome runAndRelease(Object id, Supplier<Outcome> operation) {
        try {
            return operation.get();
        } finally {
            started.remove(id);
            synchronized (waiting) {
                free++;
            }
            requeueNext();
        }
    }

    private void requeueNext() {
        Map.@Nullable Entry<Object, Runnable> next;
        synchronized (waiting) {
            next = free == 0 ? null : waiting.pollFirstEntry();
        }
        if (next != null) {
            next.getValue().run();
            CompletableFuture.delayedExecutor(REQUEUE_INTERVAL.toMillis(), TimeUnit.MILLISECONDS, threads)
                    .execute(this::requeueNext);
        }
    }

    private static Outcome result(CompletableFuture<Outcome> completed) throws InterruptedException {
        try {
            return completed.get();
        } catch (ExecutionException e) {
            throw cause(e);
        }
    }

    private static RuntimeException cause(ExecutionException e) {
        if (e.getCause() instanceof RuntimeException cause) {
            return cause;
        }
        return new IllegalStateException(e.getCause());
    }
}
