package io.bucketwright.app.options;

import io.bucketwright.runtime.leader.LeaseTiming;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.TypeConversionException;

/** {@code --lease-duration}; the renew deadline and the retry period are derived from it. */
public final class LeaseDurationOption extends AddedOption<LeaseTiming> {

    public LeaseDurationOption() {
        super(OptionSpec.builder("--lease-duration")
                .type(LeaseTiming.class)
                .converters(LeaseDurationOption::parse)
                .defaultValue("15s")
                .paramLabel("DURATION")
                .description("Lease duration: the time after which another process may replace a leader that no longer"
                        + " renews its lease (default: ${DEFAULT-VALUE})."));
    }

    static LeaseTiming parse(String text) {
        try {
            return LeaseTiming.lasting(new DurationConverter().convert(text));
        } catch (IllegalArgumentException e) {
            throw new TypeConversionException("\"" + text + "\" is shorter than 1s");
        }
    }
}
