package io.bucketwright.app.directories;

import io.bucketwright.app.command.BaseCommand;
import io.bucketwright.app.command.CommandException;
import java.io.IOException;
import java.nio.file.Path;
import picocli.CommandLine.Option;

/** A command for the directories below a root, or for its archives. */
abstract class DirectoryRootCommand extends BaseCommand {

    @Option(
            names = "--storage-asset-root",
            required = true,
            paramLabel = "DIR",
            description = "Root directory of the provisioner.")
    @SuppressWarnings("NullAway.Init") // picocli sets it before call()
    private Path root;

    @Override
    public final Integer call() {
        try {
            run(root);
            return 0;
        } catch (IllegalArgumentException e) {
            throw usageError(e);
        } catch (IOException e) {
            throw new CommandException(e.getMessage() + ".", e);
        }
    }

    abstract void run(Path root) throws IOException;
}
