package io.bucketwright.runtime.testing;

import io.bucketwright.runtime.Leadership;
import java.util.ArrayList;
import java.util.List;

/** Leadership that the test gives and takes; held in the beginning. */
public final class ManualLeadership implements Leadership {

    private final List<Runnable> listeners = new ArrayList<>();
    private boolean held = true;
    private long term = 1;

    /** Loses the leadership. */
    public void lose() {
        held = false;
    }

    /** Leads again after another process has led. */
    public void gainAfterAnotherLeader() {
        term += 2;
        held = true;
        listeners.forEach(Runnable::run);
    }

    @Override
    public boolean held() {
        return held;
    }

    @Override
    public long term() {
        return term;
    }

    @Override
    public void onGained(Runnable listener) {
        listeners.add(listener);
        if (held) {
            listener.run();
        }
    }
}
