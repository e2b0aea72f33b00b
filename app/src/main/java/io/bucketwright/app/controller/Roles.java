package io.bucketwright.app.controller;

import io.bucketwright.buckets.BucketProvisioner;
import io.bucketwright.buckets.OrphanCollector;
import io.bucketwright.cosi.controller.CosiControllers;
import io.bucketwright.runtime.engine.ControllerContext;
import io.bucketwright.runtime.engine.ControllerProcess;
import io.bucketwright.runtime.engine.ControllerProcessBuilder;
import io.bucketwright.runtime.engine.ProcessOptions;
import io.bucketwright.runtime.leader.LeaseName;
import io.bucketwright.store.Stores;
import io.fabric8.kubernetes.client.Config;
import java.util.function.UnaryOperator;

/** Wires the controllers of several roles into one process. */
public final class Roles {

    private final ControllerOptions options;
    private final VolumeOptions volumes;
    private final ControllerProcess process;

    private Roles(ControllerOptions options, VolumeOptions volumes, ControllerProcess process) {
        this.options = options;
        this.volumes = volumes;
        this.process = process;
    }

    /** Starts the roles and returns at once. */
    public static ControllerProcess start(Config client, ControllerOptions options) {
        return open(client, options, new VolumeOptions()).start();
    }

    /** Wires the roles; nothing is started. */
    public static ControllerProcess open(Config client, ControllerOptions options, VolumeOptions volumes) {
        ControllerProcess process = ControllerProcess.open(new ProcessOptions(
                client, options.identity(), options.leaseTiming(), options.listen(), UnaryOperator.identity()));
        Roles roles = new Roles(options, volumes, process);
        options.roles().forEach(roles::add);
        return process;
    }

    private void add(ControllerRole role) {
        switch (role) {
            case BUCKETS -> add(role, buckets());
            case ORPHANS -> add(role, orphans());
            case COSI -> CosiControllers.register(parts(role), options.workers());
            case POD_CLAIMS ->
                add(role, volumes.podClaims().namespace(options.namespace()).workers(options.workers()));
            case RELEASER -> add(role, volumes.releaser().workers(options.workers()));
        }
    }

    private BucketProvisioner.Builder buckets() {
        return BucketProvisioner.builder()
                .provisioner(options.provisioner())
                .stores(Stores.installed(), options.store())
                .namespace(options.namespace())
                .workers(options.workers())
                .reclaimOrphans(options.reclaimOrphansByPolicy())
                .usageInterval(options.usageInterval());
    }

    private OrphanCollector.Builder orphans() {
        return OrphanCollector.builder().gracePeriod(options.orphanGrace()).dryRun(options.dryRun());
    }

    /** Adds the role to the process, with a Lease of its own. */
    private <B extends ControllerProcessBuilder<B>> void add(ControllerRole role, B builder) {
        if (options.leaderElect()) {
            builder.lease(options.leaseNamespace(), "bucketwright-" + role, options.leaseTiming());
        }
        builder.addTo(process);
    }

    private ControllerContext parts(ControllerRole role) {
        String reporter = "bucketwright.io/" + role;
        return options.leaderElect()
                ? process.role(reporter, new LeaseName(options.leaseNamespace(), "bucketwright-" + role))
                : process.role(reporter);
    }
}
