package io.bucketwright.app.directories;

import io.bucketwright.app.command.CommandGroup;
import picocli.CommandLine.Command;

/** {@code bucketwright directory}. The command line also registers {@code directory provisioner} here. */
@Command(
        name = "directory",
        mixinStandardHelpOptions = true,
        description = "Runs the directory provisioner; lists, keeps, adopts, removes and restores directories.",
        subcommands = {
            DirectoryListCommand.class,
            DirectoryKeepCommand.class,
            DirectoryRemoveCommand.class,
            DirectoryAdoptCommand.class,
            DirectoryAbandonCommand.class,
            ArchivesCommand.class,
            RestoreCommand.class
        })
public final class DirectoryCommand extends CommandGroup {}
