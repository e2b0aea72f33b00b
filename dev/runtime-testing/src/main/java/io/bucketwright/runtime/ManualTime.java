package io.bucketwright.runtime;

import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;

/** For tests: time that passes only when the test advances it; alarms run in the thread of the test, in order. */
public final class ManualTime implements TimeSource {

    private record Pending(long due, Runnable task) {}

    private static final Instant START = Instant.parse("2026-11-15T00:00:00Z");

    private final CopyOnWriteArrayList<Pending> alarms = new CopyOnWriteArrayList<>();
    private volatile long nanos;
    private volatile Duration wallOffset = Duration.ZERO;

    @Override
    public long nanos() {
        return nanos;
    }

    @Override
    public Instant now() {
        return START.plusNanos(nanos).plus(wallOffset);
    }

    @Override
    public Alarm after(Duration delay, Runnable task) {
        Pending alarm = new Pending(nanos + delay.toNanos(), task);
        alarms.add(alarm);
        return () -> alarms.remove(alarm);
    }

    /** Advances the time and runs the alarms that are due, each at its own time. */
    public void advance(Duration duration) {
        long end = nanos + duration.toNanos();
        for (Optional<Pending> next = next();
                next.filter(alarm -> alarm.due() <= end).isPresent();
                next = next()) {
            nanos = Math.max(nanos, next.get().due());
            alarms.remove(next.get());
            next.get().task().run();
        }
        nanos = end;
    }

    /** Advances the time until the next alarm is due; false if there is none. */
    public boolean advanceToNextTimer() {
        Optional<Pending> next = next();
        next.ifPresent(alarm -> advance(Duration.ofNanos(Math.max(0, alarm.due() - nanos))));
        return next.isPresent();
    }

    /** Sets the wall clock ahead of the monotonic clock, or back if negative. */
    public void setWall(Duration ahead) {
        wallOffset = ahead;
    }

    /** The number of alarms that have not run. */
    public int alarms() {
        return alarms.size();
    }

    private Optional<Pending> next() {
        return alarms.stream().min(Comparator.comparingLong(Pending::due));
    }
}
