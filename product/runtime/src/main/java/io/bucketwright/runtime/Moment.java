package io.bucketwright.runtime;

import java.time.Duration;

/**
 * A time on the monotonic clock of this process, for delays and periods. It cannot be compared with a timestamp of Kubernetes
 * or of another machine by mistake, and setting the clock of the machine does not change what is between two of them.
 */
public record Moment(long nanos) {

    /** Negative if the other one is later. */
    public Duration since(Moment earlier) {
        return Duration.ofNanos(nanos - earlier.nanos);
    }

    public Moment plus(Duration duration) {
        return new Moment(nanos + duration.toNanos());
    }
}
