package io.bucketwright.runtime.controller;

import io.bucketwright.runtime.queue.Turns;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * Limits how many workers each dependency of a controller may use at once, so that a slow one does not block the others.
 * A worker that finds no capacity does not wait: its key waits here and is added to the queue again when it is its turn.
 * Tenants take turns; of one tenant, a key that was served and needs another call comes before those that were not. Pass it
 * to {@link Controller#limits} as well.
 *
 * <p>All dependencies share the workers: one may occupy another worker only while it has less than half as many as are
 * left. So each further dependency gets fewer, and several slow ones leave workers for the others.
 *
 * @param <K> the key
 */
public final class ConcurrencyLimits<K> {

    /** One dependency. A permit is in use, or reserved for a key that was added to the queue because of it. */
    private static final class Permits<K> {
        private int used;
        /** When it last got a permit, counted in permits. */
        private long servedAt;

        private final Turns<K> waiting;
        /** Keys that were served in the reconciliation that still runs. */
        private final Set<K> served = new HashSet<>();

        private final Set<K> reserved = new HashSet<>();
        /** Keys that began to wait in the reconciliation that still runs. */
        private final Set<K> arrived = new HashSet<>();

        Permits(Function<K, String> tenantOf) {
            waiting = new Turns<>(tenantOf);
        }
    }

    /** So few workers that each of them is needed. */
    private static final int SMALL = 4;

    private final int most;
    private final int workers;
    /** Permits of all dependencies. */
    private int used;
    /** How many permits were given since the beginning. */
    private long given;

    private final Map<Object, Permits<K>> dependencies = new LinkedHashMap<>();
    private Consumer<K> queue = _ -> {};
    private Function<K, String> tenantOf = _ -> "";
    private boolean closed;

    /**
     * Creates limits.
     *
     * @param most how many workers one dependency may use
     * @param workers how many workers all dependencies share
     */
    public ConcurrencyLimits(int most, int workers) {
        if (most < 1 || workers < most) {
            throw new IllegalArgumentException(
                    "A limit must allow at least one call and not more than there are workers," + " got " + most
                            + " of " + workers);
        }
        this.most = most;
        this.workers = workers;
    }

    /** The number of permits that leaves workers free while several dependencies are slow. */
    public static <K> ConcurrencyLimits<K> forWorkers(int workers) {
        return new ConcurrencyLimits<>(Math.max(1, workers * 3 / 8), workers);
    }

    /**
     * Does the step, or ends the reconciliation because the dependency is busy; the key is added again in its turn. Once
     * closed, no step is begun: the next leader does it.
     */
    public Outcome act(Object dependency, K key, Supplier<Outcome> step) {
        if (!acquire(dependency, key)) {
            return Outcome.finish(Result.pending());
        }
        try {
            return step.get();
        } finally {
            release(dependency);
        }
    }

    /** Keys that wait for the dependency. */
    public synchronized int waiting(Object dependency) {
        return of(dependency).waiting.size();
    }

    synchronized void connect(Consumer<K> add, Function<K, String> tenant) {
        queue = add;
        tenantOf = tenant;
    }

    /** Begins no more steps, because the controller stops. Steps in flight are not interrupted. */
    synchronized void close() {
        closed = true;
    }

    /** A reconciliation of the key ended. What was reserved for it and not used is passed on. */
    synchronized void finished(K key) {
        for (Permits<K> permits : dependencies.values()) {
            permits.served.remove(key);
            if (!permits.arrived.remove(key) && permits.reserved.remove(key)) {
                free(permits);
            }
        }
        passOn();
    }

    private synchronized boolean acquire(Object dependency, K key) {
        if (closed) {
            return false;
        }
        Permits<K> permits = of(dependency);
        if (!permits.reserved.remove(key)) {
            if (!isFree(permits)) {
                if (permits.served.contains(key)) {
                    permits.waiting.addBegun(key);
                } else {
                    permits.waiting.add(key);
                }
                permits.arrived.add(key);
                return false;
            }
            use(permits);
        }
        permits.waiting.remove(key);
        permits.served.add(key);
        return true;
    }

    private synchronized void release(Object dependency) {
        free(of(dependency));
        passOn();
    }

    private boolean isFree(Permits<K> permits) {
        int left = workers - used;
        // The last of many workers is never used, so that keys that need no dependency have one.
        return permits.used < most && (left > 1 || workers < SMALL) && left > 2 * permits.used;
    }

    private void use(Permits<K> permits) {
        permits.used++;
        permits.servedAt = ++given;
        used++;
    }

    private void free(Permits<K> permits) {
        permits.used--;
        used--;
    }

    /** Reserves what is free for keys that wait, first for the dependency that has least, of several for the one that waits longest. */
    private void passOn() {
        Optional<Permits<K>> next = next();
        while (next.isPresent()) {
            reserve(next.get());
            next = next();
        }
    }

    private Optional<Permits<K>> next() {
        return dependencies.values().stream()
                .filter(permits -> !permits.waiting.isEmpty())
                .filter(this::isFree)
                .min(Comparator.<Permits<K>>comparingInt(permits -> permits.used)
                        .thenComparingLong(permits -> permits.servedAt));
    }

    /** Never blocks for long: the queue only takes a note. */
    private void reserve(Permits<K> permits) {
        use(permits);
        K next = permits.waiting.removeFirst();
        permits.reserved.add(next);
        queue.accept(next);
    }

    private Permits<K> of(Object dependency) {
        return dependencies.computeIfAbsent(dependency, _ -> new Permits<>(key -> tenantOf.apply(key)));
    }
}
