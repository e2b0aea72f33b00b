package io.bucketwright.app.directories;

import io.bucketwright.volumes.directories.files.DirectoryMarkers;
import io.bucketwright.volumes.directories.files.DirectoryName;
import io.bucketwright.volumes.directories.files.Marker;
import io.bucketwright.volumes.directories.files.MarkerFile;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code bucketwright directory list}. */
@Command(
        name = "list",
        mixinStandardHelpOptions = true,
        description = {
            "Lists the directories below a root, with the claim that each was created for.",
            "Status: Bound (it has a volume), Provisioning, Deleting, Retained, Unused (neither volume nor claim exist,"
                    + " but it has content), OtherCluster, Unreadable."
        })
final class DirectoryListCommand extends RootCommand {

    @Option(names = "--unused", description = "List only directories without a volume and a claim.")
    private boolean unused;

    @Override
    void run(Path root, DirectoryMarkers markers, KubernetesClient client) throws IOException {
        List<MarkerFile> all = markers.list();
        String cluster = clusterId(client);
        int printed = 0;
        for (MarkerFile file : all) {
            switch (file) {
                case MarkerFile.Invalid(DirectoryName name, String problem) -> {
                    if (!unused) {
                        out().println(name + "  Unreadable  " + problem);
                        printed++;
                    }
                }
                case MarkerFile.Valid(Marker marker) -> {
                    String status = status(marker, cluster, client);
                    if (!unused || status.equals("Unused") || status.equals("Retained")) {
                        out().println(marker.name() + "  " + status + "  "
                                + marker.claim().namespace() + "/"
                                + marker.claim().name() + "  class " + marker.storageClass());
                        printed++;
                    }
                }
            }
        }
        if (printed == 0) {
            out().println("No " + (unused ? "unused " : "") + "directories below " + root + ".");
        }
    }

    private static String status(Marker marker, String cluster, KubernetesClient client) {
        if (!marker.cluster().equals(cluster)) {
            return "OtherCluster";
        }
        return switch (marker.state()) {
            case DELETING -> "Deleting";
            case RETAINED -> "Retained";
            case IN_USE -> hasVolume(client, marker) ? "Bound" : hasClaim(client, marker) ? "Provisioning" : "Unused";
        };
    }
}
