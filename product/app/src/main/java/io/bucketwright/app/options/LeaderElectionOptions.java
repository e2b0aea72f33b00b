package io.bucketwright.app.options;

import io.bucketwright.runtime.engine.ControllerProcessBuilder;
import io.bucketwright.runtime.leader.LeaseTiming;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Whether processes elect a leader, and for how long. */
public class LeaderElectionOptions {

    @Option(
            names = "--leader-elect",
            negatable = true,
            defaultValue = "true",
            fallbackValue = "true",
            description = "Enable leader election (default: true). Without it, run only one process.")
    private boolean enabled;

    @Mixin
    private AddedOption<LeaseTiming> duration = AddedOption.leaseDuration();

    /** Enables leader election with that Lease, unless the flags disable it. */
    public void apply(ControllerProcessBuilder<?> builder, String namespace, String name) {
        if (enabled) {
            builder.lease(namespace, name, duration.value());
        }
    }
}
