package io.bucketwright.runtime.controller;

import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.Map;
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
 * @param <K> the key
 */
public final class ConcurrencyLimits<K> {

    /** One dependency. A permit is free, in use, or reserved for a key that was added to the queue because of it. */
    private static final class Permits<K> {
        private int free;
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

        Permits(int free) {
            this.free = free;
        }
    }

    /** After so many keys that were begun, it is the turn of one that was not. */
    private static final int MOST_OVERTAKEN = 16;

    private final int most;
    private final Map<Object, Permits<K>> dependencies = new HashMap<>();
    private Consumer<K> queue = _ -> {};
    private boolean closed;

    public ConcurrencyLimits(int most) {
        if (most < 1) {
            throw new IllegalArgumentException("A limit must allow at least one call, got " + most);
        }
        this.most = most;
    }

    /** The number of permits that leaves workers free while two dependencies are slow. */
    public static <K> ConcurrencyLimits<K> forWorkers(int workers) {
        return new ConcurrencyLimits<>(Math.max(1, workers * 3 / 8));
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
                passOn(permits);
            }
        }
    }

    private synchronized boolean acquire(Object dependency, K key) {
        if (closed) {
            return false;
        }
        Permits<K> permits = of(dependency);
        if (!permits.reserved.remove(key)) {
            if (permits.free == 0) {
                if (!permits.begun.contains(key)) {
                    (permits.served.contains(key) ? permits.begun : permits.waiting).add(key);
                }
                permits.arrived.add(key);
                return false;
            }
            permits.free--;
        }
        permits.waiting.remove(key);
        permits.begun.remove(key);
        permits.served.add(key);
        return true;
    }

    private synchronized void release(Object dependency) {
        passOn(of(dependency));
    }

    /** Never blocks for long: the queue only takes a note. */
    private void passOn(Permits<K> permits) {
        boolean begun = !permits.begun.isEmpty() && (permits.waiting.isEmpty() || permits.overtaken < MOST_OVERTAKEN);
        LinkedHashSet<K> first = begun ? permits.begun : permits.waiting;
        if (first.isEmpty()) {
            permits.free++;
            return;
        }
        permits.overtaken = begun ? permits.overtaken + 1 : 0;
        K next = first.removeFirst();
        permits.reserved.add(next);
        queue.accept(next);
    }

    private Permits<K> of(Object dependency) {
        return dependencies.computeIfAbsent(dependency, _ -> new Permits<>(most));
    }
}
