package io.bucketwright.runtime.events;

import java.time.Duration;

/**
 * An event that was written, and how often it has happened since. It has only the name of the event: the recorder remembers
 * very many. Used by the recorder's one thread only.
 */
final class Series {

    static final Duration FIRST_PAUSE = Duration.ofSeconds(10);
    static final Duration LONGEST_PAUSE = Duration.ofMinutes(10);

    private final String name;
    private int count = 1;
    private int written = 1;
    /** A power of two of the first pause. */
    private int doublings;

    private long lastWrite;
    private boolean waiting;

    Series(String name, long now) {
        this.name = name;
        this.lastWrite = now;
    }

    /** The name of the event in the API server. */
    String name() {
        return name;
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
        Duration left = pause().minusNanos(now - lastWrite);
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
        if (pause().compareTo(LONGEST_PAUSE) < 0) {
            doublings++;
        }
        return true;
    }

    private Duration pause() {
        Duration pause = FIRST_PAUSE.multipliedBy(1L << doublings);
        return pause.compareTo(LONGEST_PAUSE) < 0 ? pause : LONGEST_PAUSE;
    }
}
