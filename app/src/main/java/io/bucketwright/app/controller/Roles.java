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
import io.bucketwright.runtime.engine.ProcessOptions;
import io.bucketwright.runtime.leader.LeaseName;
import io.bucketwright.store.Stores;
import io.bucketwright.volumes.podclaims.PodClaimController;
import io.bucketwright.volumes.releaser.ReleaserController;
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
        ControllerContext parts = parts(role);
        switch (role) {
            case BUCKETS -> addBuckets(parts);
            case ORPHANS ->
                process.with(OrphanController.of(parts, new OrphanDecision(options.orphanGrace(), options.dryRun())));
            case COSI -> CosiControllers.register(parts, options.workers());
            case POD_CLAIMS ->
                PodClaimController.register(parts, volumes.podClaims(options.namespace(), options.workers()));
            case RELEASER -> process.with(ReleaserController.of(parts, volumes.releaser(options.workers())));
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

    private ControllerContext parts(ControllerRole role) {
        String reporter = switch (role) {
            case BUCKETS, ORPHANS, COSI -> "bucketwright.io/" + role;
            case POD_CLAIMS -> PodClaimController.REPORTER;
            case RELEASER -> ReleaserController.REPORTER;
        };
        return options.leaderElect()
                ? process.role(reporter, new LeaseName(options.leaseNamespace(), "bucketwright-" + role))
                : process.role(reporter);
    }
}
