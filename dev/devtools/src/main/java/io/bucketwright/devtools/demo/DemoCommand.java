package io.bucketwright.devtools.demo;

import io.bucketwright.devtools.local.LocalToolCommand;
import io.bucketwright.local.report.TerminalProgress;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code bucketwright demo}. */
@Command(
        name = "demo",
        mixinStandardHelpOptions = true,
        description = {
            "Provisions, uses and deletes buckets and volumes on a temporary local cluster and object store.",
            "Shows an ObjectBucketClaim, a BucketClaim (COSI), and a directory volume that is released and bound again.",
            "Does not require root, except with --image. With --context, uses an existing cluster; CRDs that it installs there are kept."
        })
public final class DemoCommand extends LocalToolCommand {

    @Option(
            names = "--context",
            paramLabel = "NAME",
            description = "Use this context of your kubeconfig instead of a temporary cluster.")
    private @Nullable String context;

    @Option(
            names = "--only",
            split = ",",
            paramLabel = "PART",
            description =
                    "What to show: buckets (an ObjectBucketClaim), cosi (a BucketClaim and a BucketAccess), cosi.io"
                            + " (a BucketRequest and a BucketAccessRequest, the design of 2020), volumes (a directory as a volume);"
                            + " can be repeated. Default: buckets,cosi,volumes.")
    private List<DemoPart> only = DemoPart.usual();

    @Option(
            names = "--keep",
            description =
                    "Do not delete the claims, and leave the cluster, the store and the controllers running. Prints"
                            + " how to use and how to stop them.")
    private boolean keep;

    @Option(
            names = "--image",
            description =
                    "Run the controllers as pods: builds the image, starts a node on this machine, and installs the roles"
                            + " with the manifests of the Helm chart. Requires root, and Debian or Ubuntu.")
    private boolean image;

    @Override
    protected int run() {
        return new DemoRun(options(), new DemoSteps(out(), TerminalProgress.standard())).run();
    }

    private DemoOptions options() {
        try {
            return new DemoOptions(EnumSet.copyOf(only), keep, image, Optional.ofNullable(context));
        } catch (IllegalArgumentException e) {
            throw usageError(e);
        }
    }
}
