package io.bucketwright.app.controller;

import io.bucketwright.runtime.leader.LeaseTiming;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;

/**
 * What a process with controllers is told.
 *
 * @param roles which controllers run
 * @param provisioner the name that StorageClasses call us by
 * @param store the kind of store that the classes' parameters describe
 * @param namespace whose claims are served; empty for all
 * @param workers how many claims are worked on at once
 * @param leaderElect whether several such processes may run
 * @param leaseNamespace where the leases are
 * @param leaseTiming how long leadership lasts
 * @param identity this process, as the lease and the events name it
 * @param listen where health and metrics are served
 * @param orphanGrace how long an orphan is only reported
 * @param dryRun whether orphans are only reported
 * @param reclaimOrphansByPolicy whether the bucket of a vanished claim is treated by its policy instead of revoked
 * @param usageEvery how often a bucket's content is measured; zero for never
 */
public record ControllerOptions(
        List<Role> roles,
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
        Duration usageEvery) {

    public ControllerOptions {
        roles = List.copyOf(roles);
    }
}
