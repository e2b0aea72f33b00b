package io.bucketwright.app.controller;

import io.bucketwright.app.options.ApiServerOptions;
import io.bucketwright.app.options.DurationConverter;
import io.bucketwright.app.options.LeaderElectionOptions;
import io.bucketwright.app.options.LeaseNamespaceOption;
import io.bucketwright.app.options.NamespaceOption;
import io.bucketwright.app.options.PositiveNumberConverter;
import io.bucketwright.app.options.StoreOption;
import io.bucketwright.app.options.UsageIntervalOption;
import io.bucketwright.app.process.ControllerProcessCommand;
import io.bucketwright.buckets.classes.ProvisionerName;
import io.bucketwright.runtime.engine.ControllerProcess;
import io.bucketwright.store.Stores;
import io.bucketwright.store.errors.StoreException;
import io.fabric8.kubernetes.client.Config;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code bucketwright controller}. */
@Command(
        name = "controller",
        mixinStandardHelpOptions = true,
        description = {
            "Runs the controllers in one process.",
            "On SIGTERM, finishes in-flight work and releases the leases. See docs/buckets.md."
        })
public final class ControllerCommand extends ControllerProcessCommand {

    @Option(
            names = "--only",
            split = ",",
            paramLabel = "ROLE",
            description = "Controllers to run: buckets (ObjectBucketClaims), orphans (ObjectBuckets without a claim),"
                    + " cosi (BucketRequests and BucketAccessRequests), pod-claims (PersistentVolumeClaims that pods"
                    + " request by annotation), releaser (Released volumes). Default: all.")
    private List<ControllerRole> only = Arrays.asList(ControllerRole.values());

    @Option(
            names = "--provisioner",
            defaultValue = "bucketwright.io/bucket",
            paramLabel = "NAME",
            description = "Provisioner name in StorageClasses (default: ${DEFAULT-VALUE}).")
    private String provisioner = "";

    @Mixin
    private StoreOption store = new StoreOption();

    @Mixin
    private NamespaceOption namespace = new NamespaceOption();

    @Option(
            names = "--workers",
            defaultValue = "16",
            paramLabel = "N",
            converter = PositiveNumberConverter.class,
            description = "Number of objects that each controller reconciles at once (default: ${DEFAULT-VALUE}).")
    private int workers;

    @Mixin
    private LeaderElectionOptions leaderElection = new LeaderElectionOptions();

    @Mixin
    private LeaseNamespaceOption leaseNamespace = new LeaseNamespaceOption();

    @Option(
            names = "--orphan-grace-period",
            defaultValue = "1h",
            paramLabel = "DURATION",
            converter = DurationConverter.class,
            description = "Time during which an orphaned ObjectBucket is only reported (default: ${DEFAULT-VALUE}).")
    private Duration orphanGrace = Duration.ZERO;

    @Option(names = "--dry-run", description = "Report orphaned ObjectBuckets and change nothing.")
    private boolean dryRun;

    @Option(
            names = "--reclaim-orphans",
            defaultValue = "revoke",
            paramLabel = "revoke|policy",
            description = "What happens to the bucket of a claim that no longer exists: revoke access and keep the"
                    + " bucket, or apply its reclaim policy (default: ${DEFAULT-VALUE}).")
    private OrphanReclaim reclaimOrphans = OrphanReclaim.REVOKE;

    @Mixin
    private UsageIntervalOption usage = new UsageIntervalOption();

    @Mixin
    private VolumeOptions volumes = new VolumeOptions();

    enum OrphanReclaim {
        REVOKE,
        POLICY
    }

    @Override
    protected Controllers build(Config client, InetSocketAddress status) {
        ControllerProcess process = Roles.open(client, options(client, status), volumes);
        return new Controllers(process::start, process::port, process::close);
    }

    @Override
    protected Map<String, ?> description() {
        return Map.of("roles", only, "provisioner", provisioner, "store", store.kind());
    }

    private ControllerOptions options(Config client, InetSocketAddress status) {
        try {
            new ProvisionerName(provisioner);
            Stores.installed().factory(store.kind());
        } catch (StoreException e) {
            throw usageError(e);
        }
        return new ControllerOptions(
                only,
                provisioner,
                store.kind(),
                namespace.namespace(),
                workers,
                leaderElection.enabled(),
                leaseNamespace.orElse(ApiServerOptions.namespace(client)),
                leaderElection.timing(),
                uniqueIdentity(),
                status,
                orphanGrace,
                dryRun,
                reclaimOrphans == OrphanReclaim.POLICY,
                usage.interval());
    }
}
