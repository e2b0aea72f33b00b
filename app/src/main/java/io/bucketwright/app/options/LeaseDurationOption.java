package io.bucketwright.app.options;

import io.bucketwright.runtime.leader.LeaseTiming;
import picocli.CommandLine.Option;

/** {@code --lease-duration}. */
public final class LeaseDurationOption {

    @Option(
            names = "--lease-duration",
            defaultValue = "15s",
            paramLabel = "DURATION",
            converter = LeaseTimingConverter.class,
            description = "Lease duration: the time after which another process may replace a leader that no longer"
                    + " renews its lease (default: ${DEFAULT-VALUE}).")
    private LeaseTiming timing = LeaseTiming.standard();

    public LeaseTiming timing() {
        return timing;
    }
}
