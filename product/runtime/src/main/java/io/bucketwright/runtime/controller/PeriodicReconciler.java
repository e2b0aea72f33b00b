package io.bucketwright.runtime.controller;

import io.bucketwright.runtime.TimeSource;
import io.bucketwright.runtime.objects.DurationText;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;

/**
 * Repeats a task for each key at an interval. The first run of each key is at a random time within the interval, so that
 * neither a start nor many keys cause a burst.
 */
public final class PeriodicReconciler<K> implements Reconciler<K> {

    private final PeriodicTask<K> task;
    private final Duration interval;
    private final TimeSource time;
    private final RandomGenerator random;
    /** On the monotonic clock: a clock that is set neither stops the task nor runs it for all keys at once. */
    private final Map<K, Long> due = new ConcurrentHashMap<>();

    public PeriodicReconciler(PeriodicTask<K> task, Duration interval, TimeSource time, RandomGenerator random) {
        if (!interval.isPositive()) {
            throw new IllegalArgumentException("The interval must be positive, not " + DurationText.of(interval));
        }
        this.task = task;
        this.interval = interval;
        this.time = time;
        this.random = random;
    }

    /** The keys that the task is repeated for. */
    public Stream<K> keys() {
        return due.keySet().stream();
    }

    @Override
    public Result reconcile(K key) throws InterruptedException {
        if (!task.applies(key)) {
            due.remove(key);
            task.forget(key);
            return Result.done();
        }
        long now = time.nanos();
        long next = due.computeIfAbsent(key, _ -> now + random.nextLong(interval.toNanos() + 1));
        if (now - next < 0) {
            return Result.requeueAfter(Duration.ofNanos(next - now));
        }
        Result result = task.run(key);
        if (!(result instanceof Result.RequeueAfter || result instanceof Result.Pending)) {
            due.put(key, now + interval.toNanos());
        }
        return result instanceof Result.Done ? Result.requeueAfter(interval) : result;
    }
}
