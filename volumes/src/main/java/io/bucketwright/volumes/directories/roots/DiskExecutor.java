package io.bucketwright.volumes.directories.roots;

import io.bucketwright.runtime.controller.Outcome;
import io.bucketwright.runtime.controller.Result;
import java.time.Duration;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A bounded number of threads for operations on one disk. A disk that hangs blocks these threads but not the controller's
 * workers: a worker waits two seconds for an operation, then continues with other keys, and the key is requeued when the
 * operation completes. A worker that finds all threads busy does not wait either; its key is requeued when one is free.
 */
final class DiskExecutor implements AutoCloseable {

    private static final Duration WORKER_TIMEOUT = Duration.ofSeconds(2);

    private final ExecutorService threads;
    private final Semaphore permits;
    private final Map<Object, CompletableFuture<Outcome>> unfinished = new ConcurrentHashMap<>();
    private final Queue<Runnable> waiting = new ConcurrentLinkedQueue<>();

    DiskExecutor(String name, int size) {
        // Platform threads: a system call that hangs would pin the carrier of all virtual threads.
        this.threads = Executors.newCachedThreadPool(
                Thread.ofPlatform().daemon().name(name + "-", 1).factory());
        this.permits = new Semaphore(size);
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
        if (!acquire(caller.requeue())) {
            return Outcome.finish(Result.done());
        }
        CompletableFuture<Outcome> running = CompletableFuture.supplyAsync(() -> runAndRelease(operation), threads);
        try {
            return running.get(WORKER_TIMEOUT.toNanos(), TimeUnit.NANOSECONDS);
        } catch (TimeoutException e) {
            unfinished.put(caller.key(), running);
            CompletableFuture<?> _ =
                    running.whenComplete((_, _) -> caller.requeue().run());
            return Outcome.finish(Result.done());
        } catch (ExecutionException e) {
            throw cause(e);
        }
    }

    @Override
    public void close() {
        threads.shutdownNow();
    }

    private boolean acquire(Runnable requeue) {
        if (permits.tryAcquire()) {
            return true;
        }
        waiting.add(requeue);
        // A permit released between the first attempt and the registration would requeue nobody: try again.
        if (permits.tryAcquire()) {
            waiting.remove(requeue);
            return true;
        }
        return false;
    }

    private Outcome runAndRelease(Supplier<Outcome> operation) {
        try {
            return operation.get();
        } finally {
            permits.release();
            @Nullable Runnable next = waiting.poll();
            if (next != null) {
                next.run();
            }
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
