package io.bucketwright.runtime.queue;

import io.bucketwright.runtime.TimeSource;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.IntSupplier;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/** Gives each key to one worker at a time; the package documentation has the rules. */
public final class WorkQueue<K> {

    /** Nanoseconds overflow after 292 years; a controller that is called early looks at the time again. */
    private static final Duration LONGEST_DELAY = Duration.ofDays(365);

    private record Pending(long due, long number) {}

    private record Delay(Pending pending, TimeSource.Alarm alarm) {}

    private final TimeSource time;
    private final Backoff backoff;
    private final RandomGenerator random;
    private final QueueMetrics metrics;

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition readyOrOver = lock.newCondition();
    private final Condition idleOrLate = lock.newCondition();
    private final Deque<K> ready = new ArrayDeque<>();
    /** Keys that need work, with the time since when: those in {@code ready}, and those being reconciled that must be reconciled again. */
    private final Map<K, Long> dirty = new HashMap<>();
    /** Keys being reconciled, with the time since when. */
    private final Map<K, Long> working = new HashMap<>();

    private final Map<K, Delay> delayed = new HashMap<>();
    private final Map<K, Integer> failures = new HashMap<>();
    private long delays;
    private boolean shutDown;

    public WorkQueue(String name, TimeSource time, Backoff backoff, RandomGenerator random, MeterRegistry meters) {
        this.time = time;
        this.backoff = backoff;
        this.random = random;
        this.metrics = new QueueMetrics(meters, name, this);
    }

    /** Adds the key: it is reconciled as soon as a worker is free, and once more if it is being reconciled now. */
    public void add(K key) {
        lock.lock();
        try {
            enter(key);
        } finally {
            lock.unlock();
        }
    }

    /** Adds the key after the delay, or earlier if there is an earlier delay or an event. */
    public void addAfter(K key, Duration delay) {
        lock.lock();
        try {
            if (delay.isPositive()) {
                delay(key, delay.compareTo(LONGEST_DELAY) > 0 ? LONGEST_DELAY : delay);
            } else {
                enter(key);
            }
        } finally {
            lock.unlock();
        }
    }

    /** Adds the key after its back-off, which is returned: reconciling it failed. */
    public Duration retry(K key) {
        lock.lock();
        try {
            int count = failures.merge(key, 1, (old, one) -> old == Integer.MAX_VALUE ? old : old + one);
            Duration delay = backoff.delay(count, random);
            metrics.retried();
            delay(key, delay);
            return delay;
        } finally {
            lock.unlock();
        }
    }

    /** Resets the back-off: reconciling succeeded, or the object no longer exists. */
    public void forget(K key) {
        lock.lock();
        try {
            failures.remove(key);
        } finally {
            lock.unlock();
        }
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
        lock.lock();
        try {
            return shutDown || ready.isEmpty() ? Optional.empty() : Optional.of(begin());
        } finally {
            lock.unlock();
        }
    }

    /** The worker has finished the key. */
    public void done(K key) {
        lock.lock();
        try {
            Long since = working.remove(key);
            if (since == null) {
                throw new IllegalStateException(
                        "Key " + key + " is not being reconciled: done() was called twice for one take()");
            }
            metrics.worked(time.nanos() - since);
            if (dirty.containsKey(key)) {
                ready.addLast(key);
                readyOrOver.signal();
            }
            if (working.isEmpty()) {
                idleOrLate.signalAll();
            }
        } finally {
            lock.unlock();
        }
    }

    /** Accepts and returns no more keys; workers finish the keys that they have. */
    public void shutDown() {
        lock.lock();
        try {
            shutDown = true;
            delayed.values().forEach(delay -> delay.alarm().cancel());
            delayed.clear();
            readyOrOver.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** Waits until no key is being reconciled; false if some still are after that time. */
    public boolean awaitIdle(Duration atMost) throws InterruptedException {
        long deadline = time.nanos() + atMost.toNanos();
        TimeSource.Alarm alarm = time.after(atMost, this::wake);
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
        return locked(ready::size);
    }

    /** Keys whose last reconciliation failed. */
    public int failing() {
        return locked(failures::size);
    }

    /** Keys being reconciled. */
    public int inWork() {
        return locked(working::size);
    }

    private int locked(IntSupplier size) {
        lock.lock();
        try {
            return size.getAsInt();
        } finally {
            lock.unlock();
        }
    }

    private void enter(K key) {
        if (shutDown || dirty.putIfAbsent(key, time.nanos()) != null) {
            return;
        }
        metrics.added();
        if (!working.containsKey(key)) {
            ready.addLast(key);
            readyOrOver.signal();
        }
    }

    private void delay(K key, Duration delay) {
        if (shutDown) {
            return;
        }
        Pending pending = new Pending(time.nanos() + delay.toNanos(), delays++);
        @Nullable Delay earlier = delayed.get(key);
        if (earlier != null) {
            if (earlier.pending().due() - pending.due() <= 0) {
                return;
            }
            earlier.alarm().cancel();
        }
        delayed.put(key, new Delay(pending, time.after(delay, () -> ring(key, pending))));
    }

    private void ring(K key, Pending pending) {
        lock.lock();
        try {
            @Nullable Delay current = delayed.get(key);
            // An alarm that was cancelled too late finds another delay, or none, in its place.
            if (current != null && current.pending().equals(pending)) {
                delayed.remove(key);
                enter(key);
            }
        } finally {
            lock.unlock();
        }
    }

    private K begin() {
        K key = ready.removeFirst();
        long now = time.nanos();
        @Nullable Long since = dirty.remove(key);
        working.put(key, now);
        metrics.waited(since == null ? 0 : now - since);
        @Nullable Delay delay = delayed.remove(key);
        if (delay != null) {
            delay.alarm().cancel();
        }
        return key;
    }

    private void wake() {
        lock.lock();
        try {
            idleOrLate.signalAll();
        } finally {
            lock.unlock();
        }
    }
}
