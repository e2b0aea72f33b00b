package io.bucketwright.app.directories;

import io.bucketwright.volumes.directories.files.DirectoryArchives;
import io.bucketwright.volumes.directories.files.DirectoryArchives.Archived;
import io.bucketwright.volumes.directories.files.DirectoryArchives.ArchivedDirectory;
import io.bucketwright.volumes.directories.files.DirectoryArchives.UnreadableArchive;
import io.bucketwright.volumes.directories.files.Marker;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import picocli.CommandLine.Command;

/** {@code bucketwright directory archives}. */
@Command(
        name = "archives",
        mixinStandardHelpOptions = true,
        description = "Lists archived directories below a root, with the claim that each belonged to.")
final class ArchivesCommand extends DirectoryRootCommand {

    @Override
    void run(Path root) throws IOException {
        List<Archived> all = new DirectoryArchives(root).list();
        if (all.isEmpty()) {
            out().println("No archived directories below " + root + ".");
        }
        all.forEach(archived -> out().println(line(archived)));
    }

    private static String line(Archived archived) {
        return switch (archived) {
            case ArchivedDirectory(String name, Marker marker, boolean exists) ->
                name + "  " + marker.claim().namespace() + "/" + marker.claim().name() + "  class "
                        + marker.storageClass() + (exists ? "" : "  (its directory no longer exists)");
            case UnreadableArchive(String name, String problem) -> name + "  (cannot be restored: " + problem + ")";
        };
    }
}
