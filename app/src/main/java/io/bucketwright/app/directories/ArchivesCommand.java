package io.bucketwright.app.directories;

import io.bucketwright.app.command.BaseCommand;
import io.bucketwright.app.command.CommandException;
import io.bucketwright.volumes.directories.files.DirectoryArchives;
import io.bucketwright.volumes.directories.files.DirectoryArchives.Archived;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code bucketwright directory archives}. */
@Command(
        name = "archives",
        mixinStandardHelpOptions = true,
        description = "Lists archived directories below a root, with the claim that each belonged to.")
final class ArchivesCommand extends BaseCommand {

    @Option(
            names = "--storage-asset-root",
            required = true,
            paramLabel = "DIR",
            description = "Root directory of the provisioner.")
    @SuppressWarnings("NullAway.Init") // picocli sets it before call()
    private Path root;

    @Override
    public Integer call() {
        try {
            List<Archived> all = new DirectoryArchives(root).list();
            if (all.isEmpty()) {
                out().println("No archived directories below " + root + ".");
            }
            all.forEach(archived -> out().println(archived.name() + "  "
                    + archived.marker().claim().namespace() + "/"
                    + archived.marker().claim().name() + "  class "
                    + archived.marker().storageClass()));
            return 0;
        } catch (IllegalArgumentException e) {
            throw usageError(e);
        } catch (IOException e) {
            throw new CommandException(e.getMessage() + ".", e);
        }
    }
}
