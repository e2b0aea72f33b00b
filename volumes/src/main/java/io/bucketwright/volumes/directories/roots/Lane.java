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
 * Threads for the steps on one disk. A disk that hangs keeps them, but not the worker: after a while it leaves, and the
 * key comes back when the step is over. A worker that finds no thread free does not wait for one either.
 */
final class Lane implements AutoCloseable {

    /** How long a worker stays with a step. */
    private static final Duration PATIENCE = Duration.ofSeconds(2);

    private final ExecutorService threads;
    private final Semaphore free;
    private final Map<Object, CompletableFuture<Outcome>> under = new ConcurrentHashMap<>();
    private final Queue<Runnable> waiting = new ConcurrentLinkedQueue<>();

    Lane(String name, int size) {
        // Not virtual: a call to the kernel that hangs would hold the thread that carries all the others.
        this.threads = Executors.newCachedThreadPool(
                Thread.ofPlatform().daemon().name(name + "-", 1).factory());
        this.free = new Semaphore(size);
    }

    /**
     * Does the step for the key.
     *
     * @param wake brings the key back, if its worker had to leave
     */
    Outcome act(Object key, Runnable wake, Supplier<Outcome> step) throws InterruptedException {
        @Nullable CompletableFuture<Outcome> before = under.get(key);
        if (before != null) {
            if (!before.isDone()) {
                return Outcome.finish(Result.done());
            }
            under.remove(key);
            Outcome late = join(before);
            if (late instanceof Outcome.Finish) {
                return late;
            }
        }
        if (!acquire(wake)) {
            return Outcome.finish(Result.done());
        }
        CompletableFuture<Outcome> running = CompletableFuture.supplyAsync(() -> releasing(step), threads);
        try {
            return running.get(PATIENCE.toNanos(), TimeUnit.NANOSECONDS);
        } catch (TimeoutException e) {
            under.put(key, running);
            CompletableFuture<?> _ = running.whenComplete((_, _) -> wake.run());
            return Outcome.finish(Result.done());
        } catch (ExecutionException e) {
            throw unwrapped(e);
        }
    }

    @Override
    public void close() {
        threads.shutdownNow();
    }

    private boolean acquire(Runnable wake) {
        if (free.tryAcquire()) {
            return true;
        }
        waiting.add(wake);
        // Once more, or a thread that became free in between would tell nobody.
        if (free.tryAcquire()) {
            waiting.remove(wake);
            return true;
        }
        return false;
    }

    private Outcome releasing(Supplier<Outcome> step) {
        try {
            return step.get();
        } finally {
            free.release();
            @Nullable Runnable next = waiting.poll();
            if (next != null) {
                next.run();
            }
        }
    }

    private static Outcome join(CompletableFuture<Outcome> done) throws InterruptedException {
        try {
            return done.get();
        } catch (ExecutionException e) {
            throw unwrapped(e);
        }
    }

    private static RuntimeException unwrapped(ExecutionException e) {
        if (e.getCause() instanceof RuntimeException cause) {
            return cause;
        }
        return new IllegalStateException(e.getCause());
    }
}
