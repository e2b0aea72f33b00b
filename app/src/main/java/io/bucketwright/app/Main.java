package io.bucketwright.app;

import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import picocli.CommandLine;

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
    static CommandLine commandLine() {
        return configured(BucketwrightCommand.withSubcommands());
    }

    private static CommandLine configured(CommandLine command) {
        command.setOut(new PrintWriter(System.out, true, StandardCharsets.UTF_8));
        command.setErr(new PrintWriter(System.err, true, StandardCharsets.UTF_8));
        command.setDefaultValueProvider(new EnvironmentDefaults(System.getenv()));
        command.setParameterExceptionHandler(ErrorHandler::usageError);
        command.setExecutionExceptionHandler(ErrorHandler::failed);
        command.setCaseInsensitiveEnumValuesAllowed(true);
        return command;
    }
}
