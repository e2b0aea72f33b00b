package io.bucketwright.app;

import io.bucketwright.app.command.CommandException;
import picocli.CommandLine;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.UnmatchedArgumentException;

/** Prints errors: one line for the user, a stack trace only for defects of Bucketwright. */
final class ErrorHandler {

    private ErrorHandler() {}

    static int usageError(ParameterException failure, String[] arguments) {
        CommandLine command = failure.getCommandLine();
        command.getErr()
                .println("bucketwright: " + failure.getMessage() + ". See `"
                        + command.getCommandSpec().qualifiedName() + " --help`.");
        if (!UnmatchedArgumentException.printSuggestions(failure, command.getErr())) {
            command.getErr().flush();
        }
        return CommandException.USAGE;
    }

    static int failed(Exception failure, CommandLine command, ParseResult parsed) {
        if (failure instanceof CommandException known) {
            command.getErr().println("bucketwright: " + known.getMessage());
            return known.exitCode();
        }
        command.getErr().println("bucketwright: Internal error. Please report it with this stack trace:");
        failure.printStackTrace(command.getErr());
        return CommandException.FAILED;
    }
}
