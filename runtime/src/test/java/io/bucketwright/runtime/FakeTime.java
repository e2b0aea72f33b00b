package io.bucketwright.runtime;

import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;

/** Time that passes only when a test says so; alarms ring in the test's own thread, in order. */
public final class FakeTime implements TimeSource {

    private record Pending(long due, Runnable task) {}

    private final CopyOnWriteArrayList<Pending> alarms = new CopyOnWriteArrayList<>();
    private final Instant start = Instant.parse("2026-11-15T00:00:00Z");
    private volatile long nanos;
    private volatile Duration wallOffset = Duration.ZERO;

    @Override
    public long nanos() {
        return nanos;
    }

    @Override
    public Instant now() {
        return start.plusNanos(nanos).plus(wallOffset);
    }

    @Override
    public Alarm after(Duration delay, Runnable task) {
        Pending alarm = new Pending(nanos + delay.toNanos(), task);
        alarms.add(alarm);
        return () -> alarms.remove(alarm);
    }

    /** Lets time pass, ringing each alarm at its own moment. */
    public void advance(Duration duration) {
        long end = nanos + duration.toNanos();
        Optional<Pending> next = nextUntil(end);
        while (next.isPresent()) {
            nanos = Math.max(nanos, next.get().due());
            alarms.remove(next.get());
            next.get().task().run();
            next = nextUntil(end);
        }
        nanos = end;
    }

    /** Sets the clock on the wall without any time passing. */
    public void setWall(Duration ahead) {
        wallOffset = ahead;
    }

    public int alarms() {
        return alarms.size();
    }

    private Optional<Pending> nextUntil(long end) {
        return alarms.stream().filter(alarm -> alarm.due() <= end).min(Comparator.comparingLong(Pending::due));
    }
}
