package io.bucketwright.app.demo;

import io.bucketwright.app.command.BaseCommand;
import io.bucketwright.app.command.CommandException;
import io.bucketwright.app.command.TerminalProgress;
import io.bucketwright.local.AddOn;
import io.bucketwright.local.ClusterStatus.StoreAccess;
import io.bucketwright.local.LocalCluster;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
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
            Config config = context == null ? configOf(local.kubeconfig()) : Config.autoConfigure(context);
            try (DemoCluster cluster = new DemoCluster(config)) {
                steps.print("Kubernetes " + cluster.version() + " at " + config.getMasterUrl());
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

    private static Config configOf(Path kubeconfig) {
        try {
            // The cluster is local; a configured proxy must not be used.
            return new ConfigBuilder(Config.fromKubeconfig(Files.readString(kubeconfig)))
                    .withHttpProxy(null)
                    .withHttpsProxy(null)
                    .build();
        } catch (IOException e) {
            throw new CommandException(
                    "The cluster's kubeconfig " + kubeconfig + " cannot be read: " + e.getMessage() + ".", e);
        }
    }
}
