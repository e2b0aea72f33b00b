package io.bucketwright.app.directories;

import io.bucketwright.app.command.CommandGroup;
import picocli.CommandLine.Command;

/** {@code bucketwright directory}. The command line also registers {@code directory provisioner} here. */
@Command(
        name = "directory",
        mixinStandardHelpOptions = true,
        description = "Runs the directory provisioner; lists and restores archived directories.",
        subcommands = {ArchivesCommand.class, RestoreCommand.class})
public final class DirectoryCommand extends CommandGroup {}
