package io.bucketwright.app.demo;

import io.bucketwright.app.AnsweringCommand;
import io.bucketwright.app.Failure;
import io.bucketwright.app.TerminalProgress;
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
            "Shows buckets and volumes made, used and given back, on a cluster and a store of its own, and cleans up:",
            "an ObjectBucketClaim, a bucket by COSI, and a directory that one claim leaves to the next.",
            "Needs no root. With --context, on a cluster you have: custom resources that were missing there stay."
        })
public final class DemoCommand extends AnsweringCommand {

    @Option(
            names = "--context",
            paramLabel = "NAME",
            description = "Use this context of your kubeconfig instead of a cluster of its own.")
    private @Nullable String context;

    @Override
    public Integer call() throws InterruptedException {
        Steps steps = new Steps(out());
        steps.begin("A real Kubernetes and an S3 store on this machine, built from source, on free loopback ports");
        try (LocalCluster local = LocalCluster.builder()
                .with(AddOn.S3)
                .progress(TerminalProgress.standard())
                .start()) {
            Config config = context == null ? configOf(local.kubeconfig()) : Config.autoConfigure(context);
            try (DemoCluster cluster = new DemoCluster(config)) {
                steps.say("Kubernetes " + cluster.version() + " at " + config.getMasterUrl());
                cluster.makeNamespace();
                StoreAccess store = local.s3().orElseThrow();
                new BucketClaimDemo(cluster, store, steps).run();
                try (Workplace workplace = Workplace.make()) {
                    new CosiDemo(cluster, store, workplace.path(), steps).run();
                    new DirectoryDemo(cluster, workplace.directory("volumes"), steps).run();
                }
            }
            steps.begin("Cluster and store go down");
        }
        steps.say("Gone. `bucketwright local up --with s3` gives you such a cluster to keep.");
        steps.end();
        return 0;
    }

    private static Config configOf(Path kubeconfig) {
        try {
            // The cluster is on this machine; a proxy for the outside world must not come between.
            return new ConfigBuilder(Config.fromKubeconfig(Files.readString(kubeconfig)))
                    .withHttpProxy(null)
                    .withHttpsProxy(null)
                    .build();
        } catch (IOException e) {
            throw new Failure("The cluster's kubeconfig " + kubeconfig + " cannot be read: " + e.getMessage() + ".", e);
        }
    }
}
