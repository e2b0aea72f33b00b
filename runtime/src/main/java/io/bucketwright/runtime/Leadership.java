package io.bucketwright.runtime;

/**
 * The right to change things. It can end at any moment, also while nothing of this process runs (a stopped process, a
 * paused machine): ask before every act.
 */
public interface Leadership {

    /** Whether this process may act now. Costs two clock readings and no request. */
    boolean held();

    /** Grows each time another process takes over; zero where there is no election. */
    long term();

    /** Calls the listener each time leadership is gained; it must not block. */
    void onGained(Runnable listener);

    /** Ends the act that is about to begin if leadership is gone. */
    default void require() {
        if (!held()) {
            throw new LeadershipLostException(
                    "Leadership is not held (any more), so nothing is changed; the leader carries on from here");
        }
    }

    /** For a process that is alone by other means, or whose work is its own (one per node). */
    static Leadership always() {
        return new Leadership() {
            @Override
            public boolean held() {
                return true;
            }

            @Override
            public long term() {
                return 0;
            }

            @Override
            public void onGained(Runnable listener) {
                listener.run();
            }
        };
    }
}
