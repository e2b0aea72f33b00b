package io.bucketwright.app;

import io.bucketwright.local.LocalCluster;
import java.io.PrintWriter;
import picocli.CommandLine.Command;

/** {@code bucketwright demo}. */
@Command(
        name = "demo",
        mixinStandardHelpOptions = true,
        description = {
            "Shows what there is, on a cluster of its own, and cleans up.",
            "In this version: a real Kubernetes comes up, takes the custom resources and a claim, and goes down."
        })
final class DemoCommand extends AnsweringCommand {

    @Override
    public Integer call() {
        PrintWriter out = out();
        out.println(
                "This version has no controller yet, so the claim will stay Pending: the demo shows the ground only.");
        out.println();
        out.println("1. A real Kubernetes on this machine, built from source, on free loopback ports");
        try (LocalCluster cluster =
                LocalCluster.builder().progress(TerminalProgress.standard()).start()) {
            new Demo(cluster.kubeconfig(), out).run();
            out.println();
            out.println("4. Everything goes down again");
        }
        out.println("   Gone. `bucketwright local up` gives you such a cluster to keep.");
        return 0;
    }
}
