package io.bucketwright.app.options;

import io.bucketwright.runtime.engine.ControllerProcessBuilder;
import io.bucketwright.runtime.leader.LeaseName;
import java.time.Duration;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Flags of a provisioner: leader election, the claims that it serves, and how many at once. */
public final class ProvisionerOptions extends LeaderElectionOptions {

    @Option(
            names = "--namespace",
            paramLabel = "NAMESPACE",
            description = "Namespace whose claims are reconciled (default: all namespaces).")
    private String namespace = "";

    @Mixin
    private final AddedOption<Integer> workers;

    @Mixin
    private AddedOption<Duration> usage = AddedOption.duration(
            "--usage-interval", "15m", "Interval at which used space is measured for the metrics; 0s disables it");

    /** @param counted what the number of workers limits, for the help text */
    public ProvisionerOptions(String counted) {
        workers = AddedOption.workers(16, counted);
    }

    /** Empty for all namespaces. */
    public String namespace() {
        return namespace;
    }

    /** Publishes the namespace in the Lease, for {@code bucketwright doctor}. */
    public <B extends ControllerProcessBuilder<?>> B describe(B builder) {
        return watching(builder, namespace);
    }

    /** Publishes the namespace that is served in the Lease, unless all are. */
    public static <B extends ControllerProcessBuilder<?>> B watching(B builder, String namespace) {
        if (!namespace.isEmpty()) {
            builder.describe(LeaseName.WATCH_NAMESPACE, namespace);
        }
        return builder;
    }

    public int workers() {
        return workers.value();
    }

    public Duration usageInterval() {
        return usage.value();
    }
}
