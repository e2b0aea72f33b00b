package io.bucketwright.app;

import io.bucketwright.app.command.CommandException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.RunLast;
import picocli.CommandLine.UnmatchedArgumentException;

/** Entry point of the process. */
public final class Main {

    private Main() {}

    public static void main(String[] arguments) {
        System.exit(run(arguments));
    }

    /** Runs a command in this process and returns its exit code. */
    public static int run(String... arguments) {
        return configured(BucketwrightCommand.withSubcommandsFor(arguments)).execute(arguments);
    }

    /** The command line with all subcommands. */
    public static CommandLine commandLine() {
        return configured(BucketwrightCommand.withSubcommands());
    }

    /** picocli prints the help of {@code bucketwright claim nonsense --help} as if the command existed. */
    private static int execute(ParseResult parsed) {
        for (@Nullable ParseResult level = parsed; level != null; level = level.subcommand()) {
            CommandSpec spec = level.commandSpec();
            if (!level.unmatched().isEmpty() && spec.unmatchedArgsBindings().isEmpty()) {
                throw new UnmatchedArgumentException(spec.commandLine(), level.unmatched());
            }
        }
        return new RunLast().execute(parsed);
    }

    private static CommandLine configured(CommandLine command) {
        command.setOut(new PrintWriter(System.out, true, StandardCharsets.UTF_8));
        command.setErr(new PrintWriter(System.err, true, StandardCharsets.UTF_8));
        command.setDefaultValueProvider(new EnvironmentDefaults(System.getenv()));
        command.setParameterExceptionHandler(Main::usageError);
        command.setExecutionExceptionHandler(Main::failed);
        command.setExecutionStrategy(Main::execute);
        command.setCaseInsensitiveEnumValuesAllowed(true);
        return command;
    }

    private static int usageError(ParameterException failure, String[] arguments) {
        CommandLine command = failure.getCommandLine();
        command.getErr()
                .println("bucketwright: " + failure.getMessage() + ". See `"
                        + command.getCommandSpec().qualifiedName() + " --help`.");
        if (!UnmatchedArgumentException.printSuggestions(failure, command.getErr())) {
            command.getErr().flush();
        }
        return CommandException.USAGE;
    }

    /** One line for the user, a stack trace only for defects of Bucketwright. */
    private static int failed(Exception failure, CommandLine command, ParseResult parsed) {
        if (failure instanceof CommandException known) {
            command.getErr().println("bucketwright: " + known.getMessage());
            return known.exitCode();
        }
        command.getErr().println("bucketwright: Internal error. Please report it with this stack trace:");
        failure.printStackTrace(command.getErr());
        return CommandException.FAILED;
    }
}
