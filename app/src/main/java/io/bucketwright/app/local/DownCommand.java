package io.bucketwright.app.local;

import io.bucketwright.local.LocalCluster;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code bucketwright local down}. */
@Command(
        name = "down",
        mixinStandardHelpOptions = true,
        description = "Ends the cluster and removes its state. Harmless when there is none.")
final class DownCommand implements Callable<Integer> {

    @Mixin
    private ClusterDirectory directory = new ClusterDirectory();

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it before call()
    private CommandSpec spec;

    @Override
    public Integer call() {
        Optional<LocalCluster> cluster = LocalCluster.find(directory.path());
        cluster.ifPresent(LocalCluster::down);
        spec.commandLine()
                .getOut()
                .println(
                        cluster.isPresent()
                                ? "The cluster is gone."
                                : "There is no cluster in " + directory.path() + ".");
        return 0;
    }
}
