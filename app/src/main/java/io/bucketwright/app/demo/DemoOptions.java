package io.bucketwright.app.demo;

import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;

/**
 * What the demo shows, and where.
 *
 * @param parts at least one
 * @param keep whether the objects, the controllers and the cluster are left when the demo ends
 * @param context of the user's kubeconfig; empty for a cluster that the demo starts
 */
record DemoOptions(Set<DemoPart> parts, boolean keep, Optional<String> context) {

    DemoOptions {
        if (parts.isEmpty()) {
            throw new IllegalArgumentException("--only requires at least one of " + EnumSet.allOf(DemoPart.class));
        }
        if (keep && context.isPresent()) {
            throw new IllegalArgumentException(
                    "--keep keeps the cluster of the demo, and --context uses another one: " + "set only one of them");
        }
        parts = Set.copyOf(parts);
    }

    boolean needsStore() {
        return parts.stream().anyMatch(DemoPart::needsStore);
    }

    /** The parts in the order in which they are shown. */
    Set<DemoPart> ordered() {
        return EnumSet.copyOf(parts);
    }
}
