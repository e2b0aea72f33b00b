package io.bucketwright.app;

import java.io.PrintWriter;
import java.util.concurrent.Callable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** A command that answers on standard output; its result is the exit code. */
public abstract class AnsweringCommand implements Callable<Integer> {

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it before call()
    private CommandSpec spec;

    protected final PrintWriter out() {
        return spec.commandLine().getOut();
    }

    /** For what only shows once all flags are known; ends like any other wrong usage. */
    protected final ParameterException wrongUsage(String message) {
        return new ParameterException(spec.commandLine(), message);
    }
}
