package io.bucketwright.app.options;

/** {@code --usage-interval}. */
public final class UsageIntervalOption extends DurationOption {

    public UsageIntervalOption() {
        super("--usage-interval", "15m", "Interval at which used space is measured for the metrics; 0s disables it");
    }
}
