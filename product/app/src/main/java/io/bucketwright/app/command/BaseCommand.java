package io.bucketwright.app.command;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import java.io.PrintWriter;
import java.util.concurrent.Callable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Base class of all commands. A command prints its result to standard output and returns the exit code. */
public abstract class BaseCommand implements Callable<Integer> {

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it before call()
    private CommandSpec spec;

    protected final PrintWriter out() {
        return spec.commandLine().getOut();
    }

    /** All words of the command, as {@code bucketwright claim list}. */
    protected final String qualifiedName() {
        return spec.qualifiedName();
    }

    protected final void printJson(Object value) throws JsonProcessingException {
        out().println(new ObjectMapper()
                .enable(SerializationFeature.INDENT_OUTPUT)
                .writeValueAsString(value));
    }

    /** A usage error that shows only when all flags are known. It is reported like any other usage error. */
    protected final ParameterException usageError(String message) {
        return new ParameterException(spec.commandLine(), message);
    }

    /** A usage error that a builder or a parser reports with that exception. */
    protected final ParameterException usageError(RuntimeException cause) {
        return new ParameterException(spec.commandLine(), String.valueOf(cause.getMessage()), cause);
    }
}
