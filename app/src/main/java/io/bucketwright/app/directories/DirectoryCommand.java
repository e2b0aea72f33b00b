package io.bucketwright.app.directories;

import io.bucketwright.app.AnsweringCommand;
import picocli.CommandLine.Command;

/** {@code bucketwright directory}. */
@Command(
        name = "directory",
        mixinStandardHelpOptions = true,
        description = "Shows archived directories of the directory provisioner, and gives them back.",
        subcommands = {ArchivesCommand.class, RestoreCommand.class})
public final class DirectoryCommand extends AnsweringCommand {

    @Override
    public Integer call() {
        throw wrongUsage("Name a subcommand of directory");
    }
}
