package io.bucketwright.app;

import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import picocli.CommandLine;

/** Where the process begins. */
public final class Main {

    private Main() {}

    public static void main(String[] arguments) {
        System.exit(commandLine().execute(arguments));
    }

    static CommandLine commandLine() {
        CommandLine command = new CommandLine(new BucketwrightCommand());
        command.setOut(new PrintWriter(System.out, true, StandardCharsets.UTF_8));
        command.setErr(new PrintWriter(System.err, true, StandardCharsets.UTF_8));
        command.setDefaultValueProvider(new EnvironmentDefaults(System.getenv()));
        command.setParameterExceptionHandler(Failures::wrongUsage);
        command.setExecutionExceptionHandler(Failures::failed);
        command.setCaseInsensitiveEnumValuesAllowed(true);
        return command;
    }
}
