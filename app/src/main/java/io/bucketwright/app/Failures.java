package io.bucketwright.app;

import io.bucketwright.local.report.LocalClusterException;
import picocli.CommandLine;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.UnmatchedArgumentException;

/** What a person sees when something goes wrong: one sentence, not a stack. */
final class Failures {

    static final int FAILED = 1;
    static final int WRONG_USAGE = 2;

    private Failures() {}

    static int wrongUsage(ParameterException failure, String[] arguments) {
        CommandLine command = failure.getCommandLine();
        command.getErr()
                .println("bucketwright: " + failure.getMessage() + "; `"
                        + command.getCommandSpec().qualifiedName() + " --help` shows what there is.");
        if (!UnmatchedArgumentException.printSuggestions(failure, command.getErr())) {
            command.getErr().flush();
        }
        return WRONG_USAGE;
    }

    static int failed(Exception failure, CommandLine command, ParseResult parsed) {
        if (failure instanceof LocalClusterException || failure instanceof Failure) {
            command.getErr().println("bucketwright: " + failure.getMessage());
        } else {
            // Ours to mend, so the whole stack is wanted in the report.
            command.getErr().println("bucketwright: this should not happen, please report it:");
            failure.printStackTrace(command.getErr());
        }
        return FAILED;
    }
}
