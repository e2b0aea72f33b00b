package io.bucketwright.runtime;

import java.time.Duration;

/** Leadership without an election: it never changes. */
record FixedLeadership(boolean held) implements Leadership {

    @Override
    public Duration remaining() {
        return held ? Duration.ofDays(1) : Duration.ZERO;
    }

    @Override
    public long term() {
        return 0;
    }

    @Override
    public void onGained(Runnable listener) {
        if (held) {
            listener.run();
        }
    }
}
