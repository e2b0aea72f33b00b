package io.bucketwright.app.options;

import java.time.Duration;
import picocli.CommandLine.Model.OptionSpec;

/** A flag with a duration. */
public final class DurationOption extends AddedOption<Duration> {

    /** @param description without the default, which is added */
    public DurationOption(String name, String byDefault, String description) {
        super(OptionSpec.builder(name)
                .type(Duration.class)
                .converters(new DurationConverter())
                .defaultValue(byDefault)
                .paramLabel("DURATION")
                .description(description + " (default: ${DEFAULT-VALUE})."));
    }
}
