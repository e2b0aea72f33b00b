package io.bucketwright.runtime.testing;

import io.bucketwright.runtime.TimeSource;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;

/** Time that passes only when the test says so; timers run in the thread of the test, in order. */
public final class ManualTime implements TimeSource {

    private record Timer(long due, Runnable task) {}

    private static final Instant START = Instant.parse("2026-11-15T00:00:00Z");

    private final CopyOnWriteArrayList<Timer> timers = new CopyOnWriteArrayList<>();
    private volatile long nanos;

    @Override
    public long nanos() {
        return nanos;
    }

    @Override
    public Instant now() {
        return START.plusNanos(nanos);
    }

    @Override
    public Alarm after(Duration delay, Runnable task) {
        Timer timer = new Timer(nanos + delay.toNanos(), task);
        timers.add(timer);
        return () -> timers.remove(timer);
    }

    /** Lets time pass and runs the timers that are due, each at its own time. */
    public void advance(Duration duration) {
        long end = nanos + duration.toNanos();
        for (Optional<Timer> next = next();
                next.filter(timer -> timer.due() <= end).isPresent();
                next = next()) {
            nanos = Math.max(nanos, next.get().due());
            timers.remove(next.get());
            next.get().task().run();
        }
        nanos = end;
    }

    /** Lets time pass until the next timer is due; false if there is none. */
    public boolean advanceToNextTimer() {
        Optional<Timer> next = next();
        next.ifPresent(timer -> advance(Duration.ofNanos(Math.max(0, timer.due() - nanos))));
        return next.isPresent();
    }

    private Optional<Timer> next() {
        return timers.stream().min(Comparator.comparingLong(Timer::due));
    }
}
