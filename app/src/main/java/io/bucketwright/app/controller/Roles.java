package io.bucketwright.app.controller;

import io.bucketwright.buckets.claims.ClaimController;
import io.bucketwright.buckets.classes.ProvisionerName;
import io.bucketwright.buckets.requests.ProvisionerSettings;
import io.bucketwright.buckets.claims.ClaimLimits;
import io.bucketwright.buckets.usage.UsageController;
import io.bucketwright.buckets.orphans.OrphanController;
import io.bucketwright.buckets.orphans.OrphanDecision;
import io.bucketwright.buckets.stores.AdministratorSecrets;
import io.bucketwright.buckets.stores.ClassStores;
import io.bucketwright.buckets.stores.StoreSource;
import io.bucketwright.cosi.controller.CosiControllers;
import io.bucketwright.runtime.engine.ControllerContext;
import io.bucketwright.runtime.engine.ControllerProcess;
import io.bucketwright.runtime.engine.ControllerProcessBuilder;
import io.bucketwright.runtime.engine.ProcessOptions;
import io.bucketwright.runtime.leader.LeaseName;
import io.bucketwright.store.Stores;
import io.fabric8.kubernetes.client.Config;
import java.util.Map;
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
            case BUCKETS -> addBuckets(parts(role));
            case ORPHANS ->
                process.with(OrphanController.of(parts(role), new OrphanDecision(options.orphanGrace(), options.dryRun())));
            case COSI -> CosiControllers.register(parts(role), options.workers());
            case POD_CLAIMS ->
                add(role, volumes.podClaims().namespace(options.namespace()).workers(options.workers()));
            case RELEASER -> add(role, volumes.releaser().workers(options.workers()));
        }
    }

    private void addBuckets(ControllerContext parts) {
        StoreSource source = new ClassStores(
                Stores.installed(),
                options.store(),
                new AdministratorSecrets(parts.connection().reader()));
        process.onClose(source::close);
        ProvisionerSettings settings = new ProvisionerSettings(
                new ProvisionerName(options.provisioner()), Map.of(), process.clusterId(), options.namespace(), options.reclaimOrphansByPolicy());
        ClaimLimits limits = new ClaimLimits(
                options.workers(),
                Math.max(1, options.workers() * 3 / 4),
                ClaimLimits.standard().storeTimeout());
        process.with(ClaimController.of(parts, settings, source, limits));
        if (options.usageInterval().isPositive()) {
            process.with(UsageController.of(parts, settings, source, options.usageInterval()));
        }
    }

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
