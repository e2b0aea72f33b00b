package io.bucketwright.runtime.controller;

import io.bucketwright.runtime.Leadership;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** Leadership in the test's hand. */
final class FakeLeadership implements Leadership {

    private final List<Runnable> listeners = new CopyOnWriteArrayList<>();
    private volatile boolean held;

    void gain() {
        held = true;
        listeners.forEach(Runnable::run);
    }

    void lose() {
        held = false;
    }

    @Override
    public boolean held() {
        return held;
    }

    @Override
    public long term() {
        return 1;
    }

    @Override
    public void onGained(Runnable listener) {
        listeners.add(listener);
    }
}
