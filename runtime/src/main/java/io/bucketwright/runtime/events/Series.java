package io.bucketwright.runtime.events;

import io.fabric8.kubernetes.api.model.events.v1.Event;
import java.time.Duration;

/** An event that was written, and how often it has happened since. Used by the recorder's one thread only. */
final class Series {

    static final Duration FIRST_PAUSE = Duration.ofSeconds(10);
    static final Duration LONGEST_PAUSE = Duration.ofMinutes(10);

    private final Event event;
    private int count = 1;
    private int written = 1;
    private Duration pause = FIRST_PAUSE;
    private long lastWrite;
    private boolean waiting;

    Series(Event event, long now) {
        this.event = event;
        this.lastWrite = now;
    }

    Event event() {
        return event;
    }

    int count() {
        return count;
    }

    /** Happened once more; true if a write has to be arranged for it. */
    boolean again() {
        count++;
        boolean first = !waiting;
        waiting = true;
        return first;
    }

    /** How long to wait until the next write, so that a storm of any length costs few of them. */
    Duration untilNextWrite(long now) {
        Duration left = pause.minusNanos(now - lastWrite);
        return left.isNegative() ? Duration.ZERO : left;
    }

    /** True if the count to write has changed since the last write. */
    boolean beginWrite(long now) {
        waiting = false;
        if (count == written) {
            return false;
        }
        written = count;
        lastWrite = now;
        Duration twice = pause.multipliedBy(2);
        pause = twice.compareTo(LONGEST_PAUSE) < 0 ? twice : LONGEST_PAUSE;
        return true;
    }
}
