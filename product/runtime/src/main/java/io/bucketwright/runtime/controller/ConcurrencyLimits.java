package io.bucketwright.runtime.controller;

import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * Limits how many workers each dependency of a controller may use at once, so that a slow one does not block the others.
 * A worker that finds no capacity does not wait: its key waits here, in order, and is added to the queue again when it is
 * its turn. A key that was served and needs another call comes before those that were not: what was begun is finished
 * first, otherwise no key would be finished before each had its first call. Now and then one that was not served comes
 * first all the same, because some keys may need one more call for ever. Pass it to {@link Controller#limits} as well.
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

        private final LinkedHashSet<K> waiting = new LinkedHashSet<>();
        /** Keys that wait too, and were served before. */
        private final LinkedHashSet<K> begun = new LinkedHashSet<>();
        /** How many keys of {@link #begun} had their turn since one of {@link #waiting} had. */
        private int overtaken;
        /** Keys that were served in the reconciliation that still runs. */
        private final Set<K> served = new HashSet<>();

        private final Set<K> reserved = new HashSet<>();
        /** Keys that began to wait in the reconciliation that still runs. */
        private final Set<K> arrived = new HashSet<>();
    }

    /** After so many keys that were begun, it is the turn of one that was not. */
    private static final int MOST_OVERTAKEN = 16;

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
        Permits<K> permits = of(dependency);
        return permits.waiting.size() + permits.begun.size();
    }

    synchronized void connect(Consumer<K> add) {
        queue = add;
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
                if (!permits.begun.contains(key)) {
                    (permits.served.contains(key) ? permits.begun : permits.waiting).add(key);
                }
                permits.arrived.add(key);
                return false;
            }
            use(permits);
        }
        permits.waiting.remove(key);
        permits.begun.remove(key);
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
                .filter(permits -> !permits.waiting.isEmpty() || !permits.begun.isEmpty())
                .filter(this::isFree)
                .min(Comparator.<Permits<K>>comparingInt(permits -> permits.used)
                        .thenComparingLong(permits -> permits.servedAt));
    }

    /** Never blocks for long: the queue only takes a note. */
    private void reserve(Permits<K> permits) {
        boolean begun = !permits.begun.isEmpty() && (permits.waiting.isEmpty() || permits.overtaken < MOST_OVERTAKEN);
        LinkedHashSet<K> first = begun ? permits.begun : permits.waiting;
        use(permits);
        permits.overtaken = begun ? permits.overtaken + 1 : 0;
        K next = first.removeFirst();
        permits.reserved.add(next);
        queue.accept(next);
    }

    private Permits<K> of(Object dependency) {
        return dependencies.computeIfAbsent(dependency, _ -> new Permits<>());
    }
}
