package io.bucketwright.app.local;

import io.bucketwright.app.command.BaseCommand;
import io.bucketwright.local.LocalCluster;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code bucketwright local down}. */
@Command(
        name = "down",
        mixinStandardHelpOptions = true,
        description = "Stops the cluster and deletes its state. Does nothing if there is no cluster.")
final class DownCommand extends BaseCommand {

    @Mixin
    private ClusterDirectoryOption directory = new ClusterDirectoryOption();

    @Override
    public Integer call() {
        Optional<LocalCluster> cluster = LocalCluster.find(directory.path());
        cluster.ifPresent(LocalCluster::down);
        out().println(cluster.isPresent() ? "Cluster deleted." : "There is no cluster in " + directory.path() + ".");
        return 0;
    }
}
