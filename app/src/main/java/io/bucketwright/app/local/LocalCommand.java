package io.bucketwright.app.local;

import io.bucketwright.app.AnsweringCommand;
import picocli.CommandLine.Command;

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
public final class LocalCommand extends AnsweringCommand {

    @Override
    public Integer call() {
        throw wrongUsage("Name a subcommand of local");
    }
}
