package io.bucketwright.app.directories;

import io.bucketwright.volumes.directories.files.DirectoryArchives;
import io.bucketwright.volumes.directories.files.DirectoryArchives.Archived;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import picocli.CommandLine.Command;

/** {@code bucketwright directory archives}. */
@Command(
        name = "archives",
        mixinStandardHelpOptions = true,
        description = "Lists archived directories below a root, with the claim that each belonged to.")
final class ArchivesCommand extends ArchiveCommand {

    @Override
    void run(Path root, DirectoryArchives archives) throws IOException {
        List<Archived> all = archives.list();
        if (all.isEmpty()) {
            out().println("No archived directories below " + root + ".");
        }
        all.forEach(archived -> out().println(archived.name() + "  "
                + archived.marker().claim().namespace() + "/"
                + archived.marker().claim().name() + "  class "
                + archived.marker().storageClass()
                + (archived.exists() ? "" : "  (its directory no longer exists)")));
    }
}
