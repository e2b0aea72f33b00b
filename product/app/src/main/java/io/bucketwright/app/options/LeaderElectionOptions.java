package io.bucketwright.app.options;

import io.bucketwright.runtime.engine.ControllerProcessBuilder;
import io.bucketwright.runtime.leader.LeaseTiming;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Option;

/** Whether processes elect a leader, for how long, and where their Lease is. */
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

    @Mixin
    private final AddedOption<String> namespace;

    public LeaderElectionOptions() {
        this("the namespace of the pod or of the kubeconfig's context");
    }

    /** @param byDefault which namespace the Lease is in without the flag, for the help text */
    public LeaderElectionOptions(String byDefault) {
        namespace = new AddedOption<>(OptionSpec.builder("--lease-namespace")
                .type(String.class)
                .defaultValue("")
                .paramLabel("NAMESPACE")
                .description("Namespace of the Lease (default: " + byDefault + ")."));
    }

    /**
     * Enables leader election with that Lease, unless the flags disable it.
     *
     * @param otherwise the namespace of the Lease, unless a flag names one
     */
    public final void apply(ControllerProcessBuilder<?> builder, String otherwise, String name) {
        if (enabled) {
            builder.lease(namespace.value().isBlank() ? otherwise : namespace.value(), name, duration.value());
        }
    }
}
