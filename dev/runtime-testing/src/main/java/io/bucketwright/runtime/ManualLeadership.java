package io.bucketwright.runtime;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;

/** For tests: leadership that the test gives and takes; held in the beginning. */
public final class ManualLeadership implements Leadership {

    private final List<Runnable> listeners = new CopyOnWriteArrayList<>();
    private final AtomicLong term = new AtomicLong(1);
    private volatile boolean held = true;
    private volatile Duration remaining = Duration.ofDays(1);

    public void lose() {
        held = false;
    }

    /** Leads again, without another leader in between. */
    public void gain() {
        held = true;
        listeners.forEach(Runnable::run);
    }

    /** Leads again after another process has led. */
    public void gainAfterAnotherLeader() {
        term.addAndGet(2);
        gain();
    }

    @Override
    public boolean held() {
        return held;
    }

    /** What is left while leadership is held; a day unless set. */
    public void remaining(Duration value) {
        remaining = value;
    }

    @Override
    public Duration remaining() {
        return held ? remaining : Duration.ZERO;
    }

    @Override
    public long term() {
        return term.get();
    }

    @Override
    public void onGained(Runnable listener) {
        listeners.add(listener);
        if (held) {
            listener.run();
        }
    }
}
