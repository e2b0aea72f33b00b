package io.bucketwright.app.controller;

import io.bucketwright.runtime.leader.LeaseTiming;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;

/**
 * Options of a controller process.
 *
 * @param roles the controllers to run
 * @param provisioner the provisioner name in StorageClasses
 * @param store the kind of object store
 * @param namespace whose claims are reconciled; empty for all
 * @param workers how many objects are reconciled at once
 * @param leaderElect whether leader election is enabled
 * @param leaseNamespace namespace of the leases
 * @param leaseTiming lease duration, renew deadline and retry period
 * @param identity name of this process in leases and events
 * @param listen address of the status server
 * @param orphanGrace how long an orphan is reported before access is revoked
 * @param dryRun whether orphans are only reported
 * @param reclaimOrphansByPolicy whether the reclaim policy applies to the bucket of a claim that no longer exists
 * @param usageInterval how often buckets are measured; zero for never
 */
public record ControllerOptions(
        List<ControllerRole> roles,
        String provisioner,
        String store,
        String namespace,
        int workers,
        boolean leaderElect,
        String leaseNamespace,
        LeaseTiming leaseTiming,
        String identity,
        InetSocketAddress listen,
        Duration orphanGrace,
        boolean dryRun,
        boolean reclaimOrphansByPolicy,
        Duration usageInterval) {

    public ControllerOptions {
        roles = List.copyOf(roles);
    }
}
