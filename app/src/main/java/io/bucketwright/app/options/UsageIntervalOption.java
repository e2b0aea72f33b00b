package io.bucketwright.app.options;

import java.time.Duration;
import picocli.CommandLine.Option;

/** {@code --usage-interval}. */
public final class UsageIntervalOption {

    @Option(
            names = "--usage-interval",
            defaultValue = "15m",
            paramLabel = "DURATION",
            converter = DurationConverter.class,
            description = "Interval at which used space is measured for the metrics; 0s disables it (default:"
                    + " ${DEFAULT-VALUE}).")
    private Duration interval = Duration.ZERO;

    public Duration interval() {
        return interval;
    }
}
