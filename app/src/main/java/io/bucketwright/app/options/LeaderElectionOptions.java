package io.bucketwright.app.options;

import io.bucketwright.runtime.leader.LeaseTiming;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Whether processes elect a leader, and for how long. */
public final class LeaderElectionOptions {

    @Option(
            names = "--leader-elect",
            negatable = true,
            defaultValue = "true",
            fallbackValue = "true",
            description = "Enable leader election (default: true). Without it, run only one process.")
    private boolean enabled;

    @Mixin
    private LeaseDurationOption duration = new LeaseDurationOption();

    public boolean enabled() {
        return enabled;
    }

    public LeaseTiming timing() {
        return duration.timing();
    }
}
