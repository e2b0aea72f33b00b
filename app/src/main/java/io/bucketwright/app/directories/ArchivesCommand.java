package io.bucketwright.app.directories;

import io.bucketwright.app.AnsweringCommand;
import io.bucketwright.app.Failure;
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
        description = "Lists what is archived below a root: the archive's name and whose it was.")
final class ArchivesCommand extends AnsweringCommand {

    @Option(
            names = "--storage-asset-root",
            required = true,
            paramLabel = "DIR",
            description = "The root, as the provisioner sees it.")
    @SuppressWarnings("NullAway.Init") // picocli sets it before call()
    private Path root;

    @Override
    public Integer call() {
        try {
            List<Archived> all = new DirectoryArchives(root).list();
            if (all.isEmpty()) {
                out().println("Nothing is archived below " + root + ".");
            }
            all.forEach(archived -> out().println(archived.name() + "  "
                    + archived.marker().claim().namespace() + "/"
                    + archived.marker().claim().name() + "  class "
                    + archived.marker().storageClass()));
            return 0;
        } catch (IllegalArgumentException e) {
            throw wrongUsage(String.valueOf(e.getMessage()));
        } catch (IOException e) {
            throw new Failure(e.getMessage() + ".", e);
        }
    }
}
