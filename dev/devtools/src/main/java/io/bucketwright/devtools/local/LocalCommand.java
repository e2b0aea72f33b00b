package io.bucketwright.devtools.local;

import io.bucketwright.app.command.CommandGroup;
import picocli.CommandLine.Command;

/** {@code bucketwright local}. */
@Command(
        name = "local",
        mixinStandardHelpOptions = true,
        description = "Runs a local Kubernetes cluster for demos and tests.",
        subcommands = {
            UpCommand.class,
            DownCommand.class,
            StatusCommand.class,
            KubeconfigCommand.class,
            KubectlCommand.class,
            ImportImageCommand.class,
            CleanCommand.class
        })
public final class LocalCommand extends CommandGroup {}
