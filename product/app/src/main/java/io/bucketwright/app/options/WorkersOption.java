package io.bucketwright.app.options;

import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.TypeConversionException;

/** {@code --workers}: a whole number of at least 1. */
public final class WorkersOption extends AddedOption<Integer> {

    /** @param counted what the number limits, for the help text */
    public WorkersOption(int byDefault, String counted) {
        super(OptionSpec.builder("--workers")
                .type(int.class)
                .converters(WorkersOption::parse)
                .defaultValue(Integer.toString(byDefault))
                .paramLabel("N")
                .description("Number of " + counted + " at once (default: ${DEFAULT-VALUE})."));
    }

    private static int parse(String text) {
        try {
            int number = Integer.parseInt(text);
            if (number >= 1) {
                return number;
            }
        } catch (NumberFormatException e) {
            // Reported below.
        }
        throw new TypeConversionException("\"" + text + "\" is not a whole number of at least 1");
    }
}
