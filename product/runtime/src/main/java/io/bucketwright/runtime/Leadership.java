package io.bucketwright.runtime;

import java.time.Duration;

/**
 * Whether this process is the leader. Leadership can end at any time, also while the process does not run (a stopped process,
 * a paused machine): check it before every act.
 */
public interface Leadership {

    /** Whether this process may act now. Costs two clock readings and no request. */
    boolean held();

    /** How long this process may act without another renewal of its lease; zero if it does not lead. */
    Duration remaining();

    /** The number of the present term in this process; grows each time another process may have led. */
    long term();

    /** As {@link #remaining()}, and zero if the present term is another one. */
    default Duration remainingIn(long expectedTerm) {
        // Read before the term: a term that begins in between must not lend its time to the former one.
        Duration left = remaining();
        return term() == expectedTerm ? left : Duration.ZERO;
    }

    /** Calls the listener each time leadership is gained; it must not block. */
    void onGained(Runnable listener);

    /** Throws if this process does not lead. */
    default void require() {
        if (!held()) {
            throw new LeadershipLostException(
                    "This process is not the leader, so nothing is changed; the leader continues");
        }
    }

    /** Throws if this process does not lead, or if another one led since that term: what was observed in it is old. */
    default void requireIn(long expectedTerm) {
        if (remainingIn(expectedTerm).isZero()) {
            throw new LeadershipLostException(
                    "This process has lost leadership since it observed the object, so it changes nothing");
        }
    }

    /** For a process without leader election, such as one per node. */
    static Leadership always() {
        return new FixedLeadership(true);
    }

    /** For a connection that only reads. */
    static Leadership never() {
        return new FixedLeadership(false);
    }
}
