package io.bucketwright.devtools.local;

import io.bucketwright.local.LocalCluster;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code bucketwright local down}. */
@Command(
        name = "down",
        mixinStandardHelpOptions = true,
        description = "Stops the cluster and deletes its state. Does nothing if there is no cluster.")
final class DownCommand extends LocalToolCommand {

    @Mixin
    private ClusterDirectoryOption directory = new ClusterDirectoryOption();

    @Override
    protected int run() {
        Optional<LocalCluster> cluster = LocalCluster.find(directory.path());
        cluster.ifPresent(LocalCluster::down);
        out().println(cluster.isPresent() ? "Cluster deleted." : "There is no cluster in " + directory.path() + ".");
        return 0;
    }
}
