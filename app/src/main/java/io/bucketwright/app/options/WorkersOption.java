package io.bucketwright.app.options;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Spec;
import picocli.CommandLine.TypeConversionException;

/** {@code --workers}: a whole number of at least 1. Its default and what is counted depend on the command. */
@Command
public final class WorkersOption {

    private final OptionSpec option;

    /** @param counted what the number limits, for the help text */
    public WorkersOption(int byDefault, String counted) {
        option = OptionSpec.builder("--workers")
                .type(int.class)
                .converters(WorkersOption::parse)
                .defaultValue(Integer.toString(byDefault))
                .paramLabel("N")
                .description("Number of " + counted + " at once (default: ${DEFAULT-VALUE}).")
                .build();
    }

    @Spec(Spec.Target.MIXEE)
    void addTo(CommandSpec command) {
        command.addOption(option);
    }

    public int count() {
        return option.getValue();
    }

    static int parse(String text) {
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
