package io.bucketwright.runtime.controller;

import io.bucketwright.runtime.Leadership;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;

/** Leadership that the test controls. */
final class FakeLeadership implements Leadership {

    private final List<Runnable> listeners = new CopyOnWriteArrayList<>();
    private volatile boolean held;
    private final AtomicLong term = new AtomicLong(1);

    /** Leads again, without another leader in between. */
    void gain() {
        held = true;
        listeners.forEach(Runnable::run);
    }

    /** Leads again after another process has led. */
    void gainAfterAnotherLeader() {
        term.addAndGet(2);
        gain();
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
        return term.get();
    }

    @Override
    public void onGained(Runnable listener) {
        listeners.add(listener);
    }
}
