package io.bucketwright.runtime;

/** Leadership without an election: it never changes. */
record FixedLeadership(boolean held) implements Leadership {

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
