package io.bucketwright.app.options;

import picocli.CommandLine.Model.OptionSpec;

/** {@code --output}: text or JSON. */
public final class OutputOption extends AddedOption<OutputOption.Format> {

    /** Format of the output of a command. */
    public enum Format {
        TEXT,
        JSON
    }

    public OutputOption(String description) {
        super(OptionSpec.builder("-o", "--output")
                .type(Format.class)
                .defaultValue("text")
                .paramLabel("text|json")
                .description(description));
    }
}
