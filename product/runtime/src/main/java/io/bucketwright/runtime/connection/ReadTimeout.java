package io.bucketwright.runtime.connection;

import java.net.SocketTimeoutException;
import java.time.Duration;

/** How long the next read of a socket may wait. */
@FunctionalInterface
interface ReadTimeout {

    /**
     * The timeout of the next read in milliseconds, 0 for none.
     *
     * @throws SocketTimeoutException if there is no time left
     */
    int millis() throws SocketTimeoutException;

    /** Whether there is no time left. */
    default boolean isOver() {
        try {
            int _ = millis();
            return false;
        } catch (SocketTimeoutException e) {
            return true;
        }
    }

    static ReadTimeout none() {
        return () -> 0;
    }

    /** All reads together may take that long, from now on. */
    static ReadTimeout within(Duration total) {
        long end = System.nanoTime() + total.toNanos();
        return () -> {
            long left = end - System.nanoTime();
            if (left <= 0) {
                throw new SocketTimeoutException("No response within " + total);
            }
            return (int) Math.min(Integer.MAX_VALUE, left / 1_000_000 + 1);
        };
    }

    /** Each read may take that long. */
    static ReadTimeout silence(Duration each) {
        int millis = (int) Math.min(Integer.MAX_VALUE, Math.max(1, each.toMillis()));
        return () -> millis;
    }

    /** Both this and the other have to be kept. */
    default ReadTimeout and(ReadTimeout other) {
        return () -> {
            int one = millis();
            int two = other.millis();
            return one == 0 || (two != 0 && two < one) ? two : one;
        };
    }
}
