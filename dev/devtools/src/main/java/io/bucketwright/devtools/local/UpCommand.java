package io.bucketwright.devtools.local;

import io.bucketwright.local.AddOn;
import io.bucketwright.local.LocalCluster;
import io.bucketwright.local.LocalClusterBuilder;
import io.bucketwright.local.binaries.KubernetesVersion;
import io.bucketwright.local.report.TerminalProgress;
import java.io.PrintWriter;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code bucketwright local up}. */
@Command(
        name = "up",
        mixinStandardHelpOptions = true,
        description = {
            "Starts etcd, kube-apiserver and kube-controller-manager on free loopback ports and waits until they are ready.",
            "Builds missing binaries first. If the cluster is already running, adds what --with requests."
        })
final class UpCommand extends LocalToolCommand {

    @Mixin
    private ClusterDirectoryOption directory = new ClusterDirectoryOption();

    @Option(
            names = "--with",
            split = ",",
            paramLabel = "ADD-ON",
            description = {
                "Add-ons: s3 (an S3 store with the AWS IAM API), minio, ceph (object gateway), azure (Azurite), gcs (an "
                        + "emulator of Google Cloud Storage), moto (an emulator of AWS), node (a kubelet; requires root)."
            })
    private List<String> with = List.of();

    @Option(
            names = "--kubernetes",
            paramLabel = "VERSION",
            description = "Version of Kubernetes: 1.36 (default) or 1.30, the oldest that Bucketwright supports.")
    private @Nullable String kubernetes;

    @Override
    protected int run() {
        List<AddOn> addOns = with.stream().map(AddOn::parse).toList();
        LocalClusterBuilder builder =
                LocalCluster.builder().dir(directory.path()).with(addOns).progress(TerminalProgress.standard());
        if (kubernetes != null) {
            builder.kubernetes(KubernetesVersion.parse(kubernetes));
        }
        LocalCluster cluster = builder.start();
        cluster.release();
        PrintWriter out = out();
        out.println("The cluster is ready.");
        out.println("  export KUBECONFIG=" + cluster.kubeconfig());
        cluster.status().stores().forEach((kind, store) -> out.println("  " + kind + " at " + StoreLine.of(store)));
        out.println("Use it with `bucketwright local kubectl`; stop it with `bucketwright local down`.");
        return 0;
    }
}
