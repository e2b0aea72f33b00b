package io.bucketwright.app.local;

import io.bucketwright.app.AnsweringCommand;
import io.bucketwright.app.TerminalProgress;
import io.bucketwright.local.AddOn;
import io.bucketwright.local.ClusterStatus.StoreAccess;
import io.bucketwright.local.LocalCluster;
import java.io.PrintWriter;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code bucketwright local up}. */
@Command(
        name = "up",
        mixinStandardHelpOptions = true,
        description = {
            "Starts etcd, kube-apiserver and kube-controller-manager on free loopback ports and waits until they are ready.",
            "What is missing is built first. Harmless when the cluster is up already; with more --with, adds to it."
        })
final class UpCommand extends AnsweringCommand {

    @Mixin
    private ClusterDirectory directory = new ClusterDirectory();

    @Option(
            names = "--with",
            split = ",",
            paramLabel = "s3|node",
            description = "What else to start: s3 (an S3 store with the AWS IAM API), node (pods run; needs root).")
    private List<String> with = List.of();

    @Override
    public Integer call() {
        List<AddOn> additions = with.stream().map(AddOn::parse).toList();
        LocalCluster cluster = LocalCluster.builder()
                .dir(directory.path())
                .with(additions)
                .progress(TerminalProgress.standard())
                .start();
        cluster.release();
        PrintWriter out = out();
        out.println("The cluster is ready.");
        out.println("  export KUBECONFIG=" + cluster.kubeconfig());
        cluster.s3().ifPresent(s3 -> printStore(out, s3));
        out.println("`bucketwright local kubectl` is a kubectl for it, `bucketwright local down` ends it.");
        return 0;
    }

    private static void printStore(PrintWriter out, StoreAccess s3) {
        out.println("  S3 at " + s3.endpoint() + ", IAM at " + s3.iamEndpoint()
                + "; the keys are in `bucketwright local status -o json`.");
    }
}
