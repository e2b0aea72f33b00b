package io.bucketwright.app.controller;

import io.bucketwright.app.options.AddedOption;
import io.bucketwright.app.options.CosiApiOption;
import io.bucketwright.app.options.ProvisionerOptions;
import io.bucketwright.app.options.RoleLeaseName;
import io.bucketwright.app.process.ControllerProcessCommand;
import io.bucketwright.buckets.BucketProvisioner;
import io.bucketwright.buckets.OrphanCollector;
import io.bucketwright.runtime.engine.ControllerProcess;
import io.bucketwright.runtime.engine.ControllerProcessBuilder;
import io.bucketwright.runtime.leader.LeaseName;
import io.bucketwright.store.Stores;
import io.bucketwright.store.errors.StoreException;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
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
            defaultValue = RoleLeaseName.DEFAULT_PROVISIONER,
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
    private AddedOption<String> store = AddedOption.store();

    @Mixin
    private ProvisionerOptions options = new ProvisionerOptions("objects that each controller reconciles");

    @Mixin
    private AddedOption<Duration> verify = AddedOption.duration(
            "--verify-interval",
            "6h",
            "Interval at which the store is asked whether it still has the bucket and the user of each bound claim;"
                    + " 0s disables it");

    @Mixin
    private AddedOption<Duration> orphanGrace = AddedOption.duration(
            "--orphan-grace-period", "1h", "Time during which an orphaned ObjectBucket is only reported");

    @Option(
            names = "--orphans-of",
            split = ",",
            paramLabel = "NAME",
            description = "Provisioners whose orphaned ObjectBuckets the role orphans deletes; those of others are only"
                    + " reported (default: --provisioner). Name each provisioner in one process of the cluster.")
    private Set<String> orphansOf = Set.of();

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
        return switch (role) {
            case BUCKETS -> Map.of(lease(role, provisioner, options.namespace()), buckets());
            case ORPHANS -> orphans(role);
            case COSI -> cosiApi.builders(process, options.workers());
            case POD_CLAIMS ->
                Map.of(
                        volumes.lease(role, options.namespace()),
                        options.describe(volumes.podClaims()
                                .namespace(options.namespace())
                                .workers(options.workers())));
            case RELEASER -> Map.of(volumes.lease(role, ""), volumes.releaser().workers(options.workers()));
        };
    }

    private static String lease(ControllerRole role, String provisioners, String namespace) {
        return RoleLeaseName.of(role.toString(), provisioners, RoleLeaseName.DEFAULT_PROVISIONER, namespace);
    }

    private BucketProvisioner.Builder buckets() {
        BucketProvisioner.Builder builder = BucketProvisioner.builder()
                .provisioner(provisioner)
                .stores(Stores.installed(), store.value())
                .namespace(options.namespace())
                .classDefaults(classDefaults)
                .workers(options.workers())
                .reclaimOrphans(reclaimOrphans == OrphanReclaim.POLICY)
                .usageInterval(options.usageInterval())
                .verifyInterval(verify.value())
                .describe(LeaseName.SERVES, provisioner)
                .describe(LeaseName.STORE, store.value());
        options.describe(builder);
        if (!classDefaults.isEmpty()) {
            builder.describe(LeaseName.CLASS_DEFAULTS, Serialization.asJson(new TreeMap<>(classDefaults)));
        }
        return builder;
    }

    private Map<String, ControllerProcessBuilder<?>> orphans(ControllerRole role) {
        Set<String> names = orphansOf.isEmpty() ? Set.of(provisioner) : new TreeSet<>(orphansOf);
        String served = String.join(",", names);
        OrphanCollector.Builder builder = OrphanCollector.builder()
                .gracePeriod(orphanGrace.value())
                .dryRun(dryRun)
                .describe(LeaseName.SERVES, served);
        for (String name : names) {
            // The role buckets records its name in each ObjectBucket.
            OrphanCollector.Builder _ =
                    name.equals(provisioner) ? builder.provisioner(name) : builder.foreignProvisioner(name);
        }
        return Map.of(lease(role, served, ""), builder);
    }

    @Override
    protected Map<String, ?> description() {
        return Map.of("roles", only, "provisioner", provisioner, "store", store.value());
    }
}
