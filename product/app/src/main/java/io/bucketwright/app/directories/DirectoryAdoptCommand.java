package io.bucketwright.app.directories;

import io.bucketwright.app.command.CommandException;
import io.bucketwright.volumes.directories.files.ClaimIdentity;
import io.bucketwright.volumes.directories.files.DirectoryMarkers;
import io.bucketwright.volumes.directories.files.DirectoryName;
import io.bucketwright.volumes.directories.files.Marker;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code bucketwright directory adopt}. */
@Command(
        name = "adopt",
        mixinStandardHelpOptions = true,
        description = {
            "Assigns directories of a cluster or a namespace that no longer exists to this cluster and to the namespace"
                    + " of the same name.",
            "Claims with the same namespace and name are then bound to them. Run it after a cluster or a namespace was"
                    + " restored from a backup, while no other cluster uses the root."
        })
final class DirectoryAdoptCommand extends RootCommand {

    @Option(
            names = "--from-cluster",
            paramLabel = "ID",
            description = "Adopt all directories of the cluster with this id (the uid of its namespace kube-system).")
    private String fromCluster = "";

    @Parameters(
            arity = "0..*",
            paramLabel = "DIRECTORY",
            description = "Names of directories, as listed by `bucketwright directory list`.")
    private List<String> names = new ArrayList<>();

    @Override
    void run(Path root, DirectoryMarkers markers, KubernetesClient client) throws IOException {
        if (names.isEmpty() == fromCluster.isEmpty()) {
            throw usageError("Name directories, or a cluster with --from-cluster");
        }
        List<Marker> wanted = new ArrayList<>();
        for (String name : names) {
            wanted.add(markers.find(new DirectoryName(name)));
        }
        if (!fromCluster.isEmpty()) {
            markers.list().stream()
                    .flatMap(file -> file.valid().stream())
                    .filter(marker -> marker.cluster().equals(fromCluster))
                    .forEach(wanted::add);
        }
        String cluster = clusterId(client);
        List<String> problems = new ArrayList<>();
        for (Marker marker : wanted) {
            try {
                adopt(marker, cluster, markers, client);
            } catch (CommandException | IOException e) {
                problems.add("Directory " + marker.name() + " was not adopted. " + e.getMessage());
            }
        }
        if (!problems.isEmpty()) {
            throw new CommandException(String.join(System.lineSeparator(), problems));
        }
        if (wanted.isEmpty()) {
            out().println("No directories of cluster " + fromCluster + " below " + root + ".");
        }
    }

    private void adopt(Marker marker, String cluster, DirectoryMarkers markers, KubernetesClient client)
            throws IOException {
        if (hasClaim(client, marker)) {
            throw new CommandException("Claim " + marker.claim().namespace() + "/"
                    + marker.claim().name() + " of directory " + marker.name() + " exists; there is nothing to adopt.");
        }
        ClaimIdentity claim = new ClaimIdentity(
                marker.claim().namespace(),
                marker.claim().name(),
                marker.claim().uid(),
                namespaceUid(client, marker.claim().namespace()));
        markers.replace(marker, marker.adoptedBy(cluster, claim));
        out().println("Adopted directory " + marker.name() + " for claim " + claim.namespace() + "/" + claim.name()
                + " of class " + marker.storageClass() + ".");
    }
}
