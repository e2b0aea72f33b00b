package io.bucketwright.runtime.client;

import io.bucketwright.runtime.Leadership;

/** The leadership of a connection that was given none: it never holds, so the connection can only read. */
final class ReadOnly implements Leadership {

    @Override
    public boolean held() {
        return false;
    }

    @Override
    public long term() {
        return 0;
    }

    @Override
    public void onGained(Runnable listener) {
        // Never happens.
    }
}
