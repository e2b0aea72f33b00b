package io.bucketwright.app.controller;

import io.bucketwright.app.options.CosiApiOption;
import io.bucketwright.app.options.DurationOption;
import io.bucketwright.app.options.ProvisionerOptions;
import io.bucketwright.app.options.StoreOption;
import io.bucketwright.app.process.ControllerProcessCommand;
import io.bucketwright.buckets.BucketProvisioner;
import io.bucketwright.buckets.OrphanCollector;
import io.bucketwright.runtime.engine.ControllerProcess;
import io.bucketwright.runtime.engine.ControllerProcessBuilder;
import io.bucketwright.store.Stores;
import io.bucketwright.store.errors.StoreException;
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
                    + " cosi (BucketClaims, BucketRequests and BucketAccessRequests), pod-claims (PersistentVolumeClaims that pods"
                    + " request by annotation), releaser (Released volumes). Default: all.")
    private List<ControllerRole> only = Arrays.asList(ControllerRole.values());

    @Option(
            names = "--provisioner",
            defaultValue = "bucketwright.io/bucket",
            paramLabel = "NAME",
            description = "Provisioner name in StorageClasses (default: ${DEFAULT-VALUE}).")
    private String provisioner = "";

    @Option(
            names = "--class-default",
            paramLabel = "PARAMETER=VALUE",
            description =
                    "Class parameter for StorageClasses that do not set it, such as allowedOptions=policy,lifecycle;"
                            + " can be repeated.")
    private Map<String, String> classDefaults = Map.of();

    @Mixin
    private StoreOption store = new StoreOption();

    @Mixin
    private ProvisionerOptions options = new ProvisionerOptions("objects that each controller reconciles");

    @Mixin
    private DurationOption verify = new DurationOption(
            "--verify-interval",
            "6h",
            "Interval at which the store is asked whether it still has the bucket and the user of each bound claim;"
                    + " 0s disables it");

    @Mixin
    private DurationOption orphanGrace = new DurationOption(
            "--orphan-grace-period", "1h", "Time during which an orphaned ObjectBucket is only reported");

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
    private CosiApiOption cosiApi = new CosiApiOption();

    @Mixin
    private VolumeOptions volumes = new VolumeOptions();

    enum OrphanReclaim {
        REVOKE,
        POLICY
    }

    @Override
    protected void addControllers(ControllerProcess process, String ownNamespace) {
        try {
            for (ControllerRole role : only) {
                builders(role, process).forEach((lease, builder) -> {
                    options.apply(builder, ownNamespace, lease);
                    builder.addTo(process);
                });
            }
        } catch (StoreException e) {
            throw usageError(e);
        }
    }

    /** The builders of a role, by the name of their Lease. */
    private Map<String, ControllerProcessBuilder<?>> builders(ControllerRole role, ControllerProcess process) {
        String lease = "bucketwright-" + role;
        return switch (role) {
            case BUCKETS ->
                Map.of(
                        lease,
                        BucketProvisioner.builder()
                                .provisioner(provisioner)
                                .stores(Stores.installed(), store.value())
                                .namespace(options.namespace())
                                .classDefaults(classDefaults)
                                .workers(options.workers())
                                .reclaimOrphans(reclaimOrphans == OrphanReclaim.POLICY)
                                .usageInterval(options.usageInterval())
                                .verifyInterval(verify.value()));
            case ORPHANS ->
                Map.of(
                        lease,
                        OrphanCollector.builder()
                                .provisioner(provisioner)
                                .gracePeriod(orphanGrace.value())
                                .dryRun(dryRun));
            case COSI -> cosiApi.builders(process, options.workers());
            case POD_CLAIMS ->
                Map.of(lease, volumes.podClaims().namespace(options.namespace()).workers(options.workers()));
            case RELEASER -> Map.of(lease, volumes.releaser().workers(options.workers()));
        };
    }

    @Override
    protected Map<String, ?> description() {
        return Map.of("roles", only, "provisioner", provisioner, "store", store.value());
    }
}
