package io.bucketwright.app.local;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code bucketwright local}. */
@Command(
        name = "local",
        mixinStandardHelpOptions = true,
        description = "A real Kubernetes on this machine, to play with and to test against.",
        subcommands = {
            UpCommand.class,
            DownCommand.class,
            StatusCommand.class,
            KubeconfigCommand.class,
            KubectlCommand.class,
            CleanCommand.class
        })
public final class LocalCommand implements Runnable {

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it before run()
    private CommandSpec spec;

    @Override
    public void run() {
        throw new ParameterException(spec.commandLine(), "Name a subcommand of local");
    }
}
