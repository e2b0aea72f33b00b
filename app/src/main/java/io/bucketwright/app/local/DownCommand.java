package io.bucketwright.app.local;

import io.bucketwright.app.AnsweringCommand;
import io.bucketwright.local.LocalCluster;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code bucketwright local down}. */
@Command(
        name = "down",
        mixinStandardHelpOptions = true,
        description = "Ends the cluster and removes its state. Harmless when there is none.")
final class DownCommand extends AnsweringCommand {

    @Mixin
    private ClusterDirectory directory = new ClusterDirectory();

    @Override
    public Integer call() {
        Optional<LocalCluster> cluster = LocalCluster.find(directory.path());
        cluster.ifPresent(LocalCluster::down);
        out().println(
                        cluster.isPresent()
                                ? "The cluster is gone."
                                : "There is no cluster in " + directory.path() + ".");
        return 0;
    }
}
