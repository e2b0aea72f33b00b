package io.bucketwright.runtime.queue;

import io.bucketwright.runtime.ObjectKey;
import io.bucketwright.runtime.TimeSource;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Gives each key to one worker at a time; the package documentation has the rules. */
public final class WorkQueue<K> {

    /** Nanoseconds overflow after 292 years; a controller that is called early looks at the time again. */
    private static final Duration LONGEST_DELAY = Duration.ofDays(365);

    private record Adding<K>(WorkQueue<K> queue, K key) implements Runnable {
        @Override
        public void run() {
            queue.add(key);
        }
    }

    private record Delay(long due, long number, TimeSource.Alarm alarm) {}

    private final String name;
    private final TimeSource time;
    private final Backoff backoff;
    private final RandomGenerator random;
    private final QueueMetrics metrics;

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition readyOrOver = lock.newCondition();
    private final Condition idleOrLate = lock.newCondition();
    private final Turns<K> ready = new Turns<>(this::tenantOf);
    /** Keys that need work, with the time since when: those in {@code ready}, and those being reconciled that must be reconciled again. */
    private final Map<K, Long> dirty = new HashMap<>();
    /** Keys being reconciled, with the time since when. */
    private final Map<K, Long> working = new HashMap<>();

    private final Map<K, Delay> delayed = new HashMap<>();
    private final Map<K, Integer> failures = new HashMap<>();
    private final List<Supplier<Stream<K>>> failingElsewhere = new CopyOnWriteArrayList<>();
    private volatile Function<K, String> tenants = key -> key instanceof ObjectKey object ? object.namespace() : "";
    private long delays;
    private boolean shutDown;

    public WorkQueue(String name, TimeSource time, Backoff backoff, RandomGenerator random, MeterRegistry meters) {
        this.name = name;
        this.time = time;
        this.backoff = backoff;
        this.random = random;
        this.metrics = QueueMetrics.of(meters, name, this);
    }

    public String name() {
        return name;
    }

    /** Adds the key: it is reconciled as soon as a worker is free, and once more if it is being reconciled now. */
    public void add(K key) {
        locked(() -> enter(key));
    }

    /** What adds the key, for those who know when it can be reconciled; two of the same key are equal. */
    public Runnable adding(K key) {
        return new Adding<>(this, key);
    }

    /** Adds the key after the delay, or earlier if there is an earlier delay or an event. */
    public void addAfter(K key, Duration delay) {
        locked(() -> {
            if (delay.isPositive()) {
                delay(key, delay.compareTo(LONGEST_DELAY) > 0 ? LONGEST_DELAY : delay);
            } else {
                enter(key);
            }
        });
    }

    /** Adds the key after its back-off, which is returned: reconciling it failed. */
    public Duration retry(K key) {
        return read(() -> {
            int count = failures.merge(key, 1, (old, one) -> old == Integer.MAX_VALUE ? old : old + one);
            Duration delay = backoff.delay(count, random);
            metrics.retries().increment();
            delay(key, delay);
            return delay;
        });
    }

    /** Resets the back-off: reconciling succeeded, or the object no longer exists. */
    public void forget(K key) {
        locked(() -> failures.remove(key));
    }

    /** Waits for a key; empty once the queue is shut down. Pass each key to {@link #done} afterwards. */
    public Optional<K> take() throws InterruptedException {
        lock.lockInterruptibly();
        try {
            while (ready.isEmpty() && !shutDown) {
                readyOrOver.await();
            }
            return shutDown ? Optional.empty() : Optional.of(begin());
        } finally {
            lock.unlock();
        }
    }

    /** Takes a key if one is ready, without waiting. */
    public Optional<K> poll() {
        return read(() -> shutDown || ready.isEmpty() ? Optional.empty() : Optional.of(begin()));
    }

    /** The worker has finished the key. */
    public void done(K key) {
        locked(() -> {
            Long since = working.remove(key);
            if (since == null) {
                throw new IllegalStateException(
                        "Key " + key + " is not being reconciled: done() was called twice for one take()");
            }
            metrics.working().record(time.nanos() - since, TimeUnit.NANOSECONDS);
            if (dirty.containsKey(key)) {
                ready.add(key);
                readyOrOver.signal();
            }
            if (working.isEmpty()) {
                idleOrLate.signalAll();
            }
        });
    }

    /** Accepts and returns no more keys; workers finish the keys that they have. */
    public void shutDown() {
        locked(() -> {
            shutDown = true;
            delayed.values().forEach(delay -> delay.alarm().cancel());
            delayed.clear();
            readyOrOver.signalAll();
        });
    }

    /** Waits until no key is being reconciled; false if some still are after that time. */
    public boolean awaitIdle(Duration atMost) throws InterruptedException {
        long deadline = time.nanos() + atMost.toNanos();
        TimeSource.Alarm alarm = time.after(atMost, () -> locked(idleOrLate::signalAll));
        lock.lockInterruptibly();
        try {
            while (!working.isEmpty() && time.nanos() - deadline < 0) {
                idleOrLate.await();
            }
            return working.isEmpty();
        } finally {
            lock.unlock();
            alarm.cancel();
        }
    }

    /** Keys that are ready and wait for a worker. */
    public int depth() {
        return read(ready::size);
    }

    /** Tells whose a key is, where its namespace does not. It is asked while the queue is locked: it must not wait. */
    public void tenants(Function<K, String> tenantOf) {
        tenants = tenantOf;
    }

    /**
     * Whose key this is. Tenants take turns. An object that nobody expected belongs to nobody: a key that could not be added
     * would never be reconciled, and its controller reports what is wrong with the object.
     */
    public String tenantOf(K key) {
        try {
            return tenants.apply(key);
        } catch (RuntimeException _) {
            return "";
        }
    }

    /** Counts these keys as failing, too: their controller delays the next attempt itself, as after a call to a store. */
    public void alsoFailing(Supplier<Stream<K>> keys) {
        failingElsewhere.add(keys);
    }

    /** Keys whose last reconciliation or last attempt failed, and that are retried. */
    public int failing() {
        Set<K> all = read(() -> new HashSet<>(failures.keySet()));
        failingElsewhere.forEach(keys -> keys.get().forEach(all::add));
        return all.size();
    }

    /** Keys being reconciled. */
    public int inWork() {
        return read(working::size);
    }

    private void locked(Runnable work) {
        lock.lock();
        try {
            work.run();
        } finally {
            lock.unlock();
        }
    }

    private <R> R read(Supplier<R> work) {
        lock.lock();
        try {
            return work.get();
        } finally {
            lock.unlock();
        }
    }

    private void enter(K key) {
        if (shutDown || dirty.putIfAbsent(key, time.nanos()) != null) {
            return;
        }
        metrics.adds().increment();
        if (!working.containsKey(key)) {
            ready.add(key);
            readyOrOver.signal();
        }
    }

    private void delay(K key, Duration delay) {
        if (shutDown) {
            return;
        }
        long due = time.nanos() + delay.toNanos();
        @Nullable Delay earlier = delayed.get(key);
        if (earlier != null) {
            if (earlier.due() - due <= 0) {
                return;
            }
            earlier.alarm().cancel();
        }
        long number = delays++;
        delayed.put(key, new Delay(due, number, time.after(delay, () -> locked(() -> ring(key, number)))));
    }

    private void ring(K key, long number) {
        @Nullable Delay current = delayed.get(key);
        // An alarm that was cancelled too late finds another delay, or none, in its place.
        if (current != null && current.number() == number) {
            delayed.remove(key);
            enter(key);
        }
    }

    private K begin() {
        K key = ready.removeFirst();
        long now = time.nanos();
        @Nullable Long since = dirty.remove(key);
        working.put(key, now);
        metrics.waiting().record(since == null ? 0 : now - since, TimeUnit.NANOSECONDS);
        @Nullable Delay delay = delayed.remove(key);
        if (delay != null) {
            delay.alarm().cancel();
        }
        return key;
    }
}
