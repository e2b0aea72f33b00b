package io.bucketwright.app.demo;

import io.bucketwright.app.command.BaseCommand;
import io.bucketwright.app.command.TerminalProgress;
import io.bucketwright.app.options.ApiServerOptions;
import io.bucketwright.local.AddOn;
import io.bucketwright.local.LocalCluster;
import io.bucketwright.local.stores.StoreAccess;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code bucketwright demo}. */
@Command(
        name = "demo",
        mixinStandardHelpOptions = true,
        description = {
            "Provisions, uses and deletes buckets and volumes on a temporary local cluster and object store.",
            "Shows an ObjectBucketClaim, a COSI bucket, and a directory volume that is released and bound again.",
            "Does not require root. With --context, uses an existing cluster; CRDs that it installs there are kept."
        })
public final class DemoCommand extends BaseCommand {

    @Option(
            names = "--context",
            paramLabel = "NAME",
            description = "Use this context of your kubeconfig instead of a temporary cluster.")
    private @Nullable String context;

    @Override
    public Integer call() throws InterruptedException {
        DemoSteps steps = new DemoSteps(out());
        steps.begin("Start a local Kubernetes cluster and an S3 store, built from source, on free loopback ports");
        try (LocalCluster local = LocalCluster.builder()
                .with(AddOn.S3)
                .progress(TerminalProgress.standard())
                .start()) {
            ApiServerOptions server = new ApiServerOptions();
            if (context == null) {
                server.useKubeconfig(local.kubeconfig());
            } else {
                server.useContext(context);
            }
            try (DemoCluster cluster = new DemoCluster(server)) {
                steps.print("Kubernetes "
                        + cluster.client().getKubernetesVersion().getGitVersion() + " at "
                        + cluster.client().getMasterUrl());
                cluster.createNamespace();
                StoreAccess store = local.s3().orElseThrow();
                new BucketClaimDemo(cluster, store, steps).run();
                try (TemporaryDirectory directory = TemporaryDirectory.create()) {
                    new CosiDemo(cluster, store, directory.path(), steps).run();
                    new DirectoryDemo(cluster, directory.directory("volumes"), steps).run();
                }
            }
            steps.begin("Stop the cluster and the store");
        }
        steps.print("Deleted. To keep such a cluster, run `bucketwright local up --with s3`.");
        steps.end();
        return 0;
    }
}
