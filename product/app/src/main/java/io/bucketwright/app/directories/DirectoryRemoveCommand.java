package io.bucketwright.app.directories;

import io.bucketwright.volumes.directories.files.DirectoryMarkers;
import io.bucketwright.volumes.directories.files.Marker;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.IOException;
import java.nio.file.Path;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code bucketwright directory remove}. */
@Command(
        name = "remove",
        mixinStandardHelpOptions = true,
        description = {
            "Deletes an unused or retained directory with all its data, and its marker.",
            "Fails if a volume of that name or its claim exists."
        })
final class DirectoryRemoveCommand extends RootCommand {

    @Option(names = "--yes", description = "Confirms that the data is deleted.")
    private boolean confirmed;

    @Parameters(paramLabel = "DIRECTORY", description = NAME_DESCRIPTION)
    private String name = "";

    @Override
    void run(Path root, DirectoryMarkers markers, KubernetesClient client) throws IOException {
        Marker marker = requireUnused(client, markers, name);
        if (!confirmed) {
            throw usageError("This deletes all data of claim " + marker.claim().namespace() + "/"
                    + marker.claim().name() + " in " + root.resolve(name) + ". Add --yes to confirm");
        }
        markers.remove(marker);
        out().println("Removed directory " + name + ".");
    }
}
