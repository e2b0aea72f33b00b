package io.bucketwright.runtime;

/**
 * Whether this process is the leader. Leadership can end at any time, also while the process does not run (a stopped process,
 * a paused machine): check it before every act.
 */
public interface Leadership {

    /** Whether this process may act now. Costs two clock readings and no request. */
    boolean held();

    /** Grows each time another process takes over; zero where there is no election. */
    long term();

    /** Calls the listener each time leadership is gained; it must not block. */
    void onGained(Runnable listener);

    /** Throws if this process does not lead. */
    default void require() {
        if (!held()) {
            throw new LeadershipLostException(
                    "This process is not the leader, so nothing is changed; the leader continues");
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
