package io.bucketwright.cosi.sidecar;

import java.time.Duration;
import java.util.Set;

/**
 * How much at once, and how long.
 *
 * @param workers objects of each kind in work at once
 * @param driverCalls calls to the driver at once, so that a slow one does not hold all workers
 * @param driverCall how long one may take
 * @param secretNamespaces where provisioner secrets may be read beside the provisioner's own namespace
 */
public record SidecarOptions(int workers, int driverCalls, Duration driverCall, Set<String> secretNamespaces) {

    public SidecarOptions {
        if (workers < 1 || driverCalls < 1 || !driverCall.isPositive()) {
            throw new IllegalArgumentException("workers, calls to the driver and their duration must be positive, got "
                    + workers + ", " + driverCalls + " and " + driverCall);
        }
        secretNamespaces = Set.copyOf(secretNamespaces);
    }

    public static SidecarOptions standard() {
        return new SidecarOptions(8, 12, Duration.ofSeconds(10), Set.of());
    }
}
