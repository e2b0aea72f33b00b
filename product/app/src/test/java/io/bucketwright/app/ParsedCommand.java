package io.bucketwright.app;

import io.bucketwright.app.logging.LogSetup;
import java.util.List;
import java.util.Properties;
import java.util.Set;
import java.util.stream.Collectors;
import picocli.CommandLine;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParseResult;

/**
 * A command line, parsed as the installed command does, but not run.
 *
 * @param command the object that would run
 * @param flags the flags that were given, by their longest name
 */
public record ParsedCommand(Object command, Set<String> flags) {

    /**
     * Parses arguments.
     *
     * @throws CommandLine.ParameterException if the command would reject them
     */
    public static ParsedCommand of(List<String> arguments) {
        // The flags of the log set system properties, which other tests read.
        Properties before = (Properties) System.getProperties().clone();
        try {
            ParseResult result = Main.commandLine().parseArgs(arguments.toArray(String[]::new));
            while (result.hasSubcommand()) {
                result = result.subcommand();
            }
            return new ParsedCommand(
                    result.commandSpec().userObject(),
                    result.matchedOptions().stream()
                            .map(OptionSpec::longestName)
                            .collect(Collectors.toUnmodifiableSet()));
        } finally {
            restore(before, LogSetup.FORMAT);
            restore(before, LogSetup.LEVEL);
        }
    }

    private static void restore(Properties before, String name) {
        String value = before.getProperty(name);
        if (value == null) {
            System.clearProperty(name);
        } else {
            System.setProperty(name, value);
        }
    }
}
