package io.bucketwright.devtools.demo;

import io.bucketwright.local.AddOn;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;

/**
 * What the demo shows, and where.
 *
 * @param parts at least one
 * @param keep whether the objects, the controllers and the cluster are left when the demo ends
 * @param image whether the controllers are pods of the image, with the manifests of the chart
 * @param context of the user's kubeconfig; empty for a cluster that the demo starts
 */
record DemoOptions(Set<DemoPart> parts, boolean keep, boolean image, Optional<String> context) {

    DemoOptions {
        if (parts.isEmpty()) {
            throw new IllegalArgumentException("--only requires at least one of " + EnumSet.allOf(DemoPart.class));
        }
        if (keep && context.isPresent()) {
            throw new IllegalArgumentException(
                    "--keep keeps the cluster of the demo, and --context uses another one: " + "set only one of them");
        }
        if (image && context.isPresent()) {
            throw new IllegalArgumentException("--image uses the node of a local cluster, and --context uses another"
                    + " cluster: set only one of them. To install the chart in your cluster, see docs/install.md.");
        }
        parts = Set.copyOf(parts);
    }

    boolean needsStore() {
        return parts.stream().anyMatch(DemoPart::needsStore);
    }

    /** What the local cluster has beside its control plane. */
    Set<AddOn> additions() {
        Set<AddOn> additions = EnumSet.noneOf(AddOn.class);
        if (needsStore()) {
            additions.add(AddOn.S3);
        }
        if (image) {
            additions.add(AddOn.NODE);
        }
        return additions;
    }

    /** The parts in the order in which they are shown. */
    Set<DemoPart> ordered() {
        return EnumSet.copyOf(parts);
    }
}
