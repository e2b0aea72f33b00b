package io.bucketwright.devtools.demo;

import io.bucketwright.app.command.CommandException;
import io.bucketwright.app.options.ApiServerOptions;
import io.bucketwright.local.AddOn;
import io.bucketwright.local.LocalCluster;
import io.bucketwright.local.LocalClusterBuilder;
import io.bucketwright.local.report.LocalClusterException;
import java.util.List;

/** The demo from the start of the cluster to its end. */
record DemoRun(DemoOptions options, DemoSteps steps) {

    private static final int INTERRUPTED = 130;

    /**
     * Runs it.
     *
     * @return the exit code
     * @throws CommandException if a step failed; the message names it and the logs
     */
    int run() {
        try (LocalCluster local = start()) {
            DemoControllers controllers =
                    options.image() ? new DemoPods(local, steps) : new DemoProcesses(local, options, steps);
            try {
                if (controllers instanceof DemoPods pods) {
                    pods.loadImage();
                }
                show(local, controllers);
            } catch (RuntimeException e) {
                if (isShuttingDown()) {
                    // Ctrl-C: the cluster is being deleted, so every step fails.
                    return INTERRUPTED;
                }
                throw failed(
                        local,
                        new DemoFailure(steps.current(), e, controllers.logs().toList()));
            }
            if (options.keep()) {
                local.release();
            } else {
                steps.begin("Stop the cluster");
            }
        }
        if (!options.keep()) {
            steps.print("Deleted. To keep such a cluster, run `bucketwright demo --keep`.");
        }
        steps.end();
        return 0;
    }

    private LocalCluster start() {
        options.context().ifPresent(name -> {
            ApiServerOptions server = new ApiServerOptions();
            server.useContext(name);
            // A context that does not exist is reported before anything is started.
            var _ = server.config();
        });
        if (options.image()) {
            AddOn.NODE.missing().ifPresent(missing -> {
                throw new CommandException("--image runs pods on a node of this machine. " + missing
                        + " Or run `bucketwright demo` without --image.");
            });
        }
        steps.begin("Start a local Kubernetes cluster" + (options.image() ? " with a node" : "")
                + (options.needsStore() ? " and an S3 store" : "")
                + ", built from source, on free loopback ports");
        LocalClusterBuilder builder = LocalCluster.builder().progress(steps.progress());
        try {
            return builder.with(options.additions()).start();
        } catch (LocalClusterException e) {
            throw new DemoFailure(steps.current(), e, List.of()).withoutLogs();
        }
    }

    private void show(LocalCluster local, DemoControllers controllers) {
        ApiServerOptions server = new ApiServerOptions();
        options.context().ifPresentOrElse(server::useContext, () -> server.useKubeconfig(local.kubeconfig()));
        try (DemoCluster cluster = new DemoCluster(server, steps, options)) {
            steps.print("Kubernetes " + cluster.client().getKubernetesVersion().getGitVersion() + " at "
                    + cluster.client().getMasterUrl());
            cluster.createNamespace();
            for (DemoPart part : options.ordered()) {
                switch (part) {
                    case BUCKETS -> new BucketClaimDemo(cluster, local.s3().orElseThrow(), controllers, steps).run();
                    case COSI -> new CosiDemo(cluster, local.s3().orElseThrow(), controllers, steps).run();
                    case COSI_IO -> new CosiRequestDemo(cluster, local.s3().orElseThrow(), controllers, steps).run();
                    case VOLUMES -> new DirectoryDemo(cluster, controllers, steps).run();
                }
                if (!options.keep()) {
                    controllers.stop();
                }
            }
        }
        if (options.keep()) {
            steps.begin("The cluster keeps running, with the claims and the controllers. What you can do next:");
            new NextCommands(local.dir(), local.kubeconfig()).lines().forEach(steps::print);
        }
    }

    /** With --keep the cluster stays as it is, so that the user can find the cause. */
    private CommandException failed(LocalCluster local, DemoFailure failure) {
        if (!options.keep()) {
            return failure.withLogs(DemoFailure.copy(local.logs()));
        }
        local.release();
        CommandException report = failure.withLogs(local.logs());
        return new CommandException(
                report.getMessage() + "\nThe cluster keeps running. What you can do next:\n   "
                        + String.join("\n   ", new NextCommands(local.dir(), local.kubeconfig()).lines()),
                failure.cause());
    }

    private static boolean isShuttingDown() {
        Thread none = new Thread(() -> {});
        try {
            Runtime.getRuntime().addShutdownHook(none);
            Runtime.getRuntime().removeShutdownHook(none);
            return false;
        } catch (IllegalStateException e) {
            return true;
        }
    }
}
