package io.bucketwright.app.directories;

import io.bucketwright.app.command.CommandException;
import io.bucketwright.volumes.directories.DirectoryAnnotations;
import io.bucketwright.volumes.directories.files.DirectoryMarkers;
import io.bucketwright.volumes.directories.files.Marker;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.IOException;
import java.nio.file.Path;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code bucketwright directory keep}. */
@Command(
        name = "keep",
        mixinStandardHelpOptions = true,
        description = {
            "Marks an unused directory as retained, so that a new claim of the same name can use it with the annotation "
                    + DirectoryAnnotations.REUSE_EXISTING + ": \"true\".",
            "Fails if a volume of that name or its claim exists."
        })
final class DirectoryKeepCommand extends RootCommand {

    @Parameters(paramLabel = "DIRECTORY", description = NAME_DESCRIPTION)
    private String name = "";

    @Override
    void run(Path root, DirectoryMarkers markers, KubernetesClient client) throws IOException {
        Marker marker = requireUnused(client, markers, name);
        if (marker.state() == Marker.State.DELETING) {
            throw new CommandException("Directory " + name + " is being deleted and may have lost data already, so it"
                    + " cannot be kept.");
        }
        markers.replace(marker, marker.retained());
        out().println("Directory " + name + " is retained for claim "
                + marker.claim().namespace() + "/" + marker.claim().name() + ".");
    }
}
