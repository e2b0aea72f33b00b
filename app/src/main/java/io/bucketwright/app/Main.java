package io.bucketwright.app;

import io.bucketwright.app.directories.DirectoryProvisionerCommand;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import picocli.CommandLine;

/** Entry point of the process. */
public final class Main {

    private Main() {}

    public static void main(String[] arguments) {
        System.exit(run(arguments));
    }

    /** Runs a command in this process and returns its exit code. */
    public static int run(String... arguments) {
        return commandLine().execute(arguments);
    }

    static CommandLine commandLine() {
        CommandLine command = new CommandLine(new BucketwrightCommand());
        // The same command as directory-provisioner; the annotation can give it only one name.
        CommandLine directory = Objects.requireNonNull(command.getSubcommands().get("directory"));
        directory.addSubcommand(
                "provisioner", new CommandLine(new DirectoryProvisionerCommand()).setCommandName("provisioner"));
        command.setOut(new PrintWriter(System.out, true, StandardCharsets.UTF_8));
        command.setErr(new PrintWriter(System.err, true, StandardCharsets.UTF_8));
        command.setDefaultValueProvider(new EnvironmentDefaults(System.getenv()));
        command.setParameterExceptionHandler(ErrorHandler::usageError);
        command.setExecutionExceptionHandler(ErrorHandler::failed);
        command.setCaseInsensitiveEnumValuesAllowed(true);
        return command;
    }
}
