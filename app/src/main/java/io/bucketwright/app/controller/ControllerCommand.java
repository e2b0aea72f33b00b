package io.bucketwright.app.controller;

import io.bucketwright.app.AnsweringCommand;
import io.bucketwright.app.Foreground;
import io.bucketwright.buckets.claims.ProvisionerName;
import io.bucketwright.runtime.engine.ControllerProcess;
import io.bucketwright.runtime.leader.LeaseTiming;
import io.bucketwright.store.StoreException;
import io.bucketwright.store.Stores;
import io.fabric8.kubernetes.client.Config;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.time.format.DateTimeParseException;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code bucketwright controller}. */
@Command(
        name = "controller",
        mixinStandardHelpOptions = true,
        description = {
            "Runs the controllers until it is told to stop, then finishes what is in work and gives its leases back.",
            "docs/buckets.md explains classes, claims and what each flag is for."
        })
public final class ControllerCommand extends AnsweringCommand {

    @Mixin
    private ApiServerOptions server = new ApiServerOptions();

    @Option(
            names = "--only",
            split = ",",
            paramLabel = "ROLE",
            description = "Which controllers: buckets (binds ObjectBucketClaims), orphans (finds ObjectBuckets whose"
                    + " claim is gone), cosi (binds BucketRequests and BucketAccessRequests), pod-claims (makes the claims that pods ask for), releaser (makes Released"
                    + " volumes Available). Default: all.")
    private List<Role> only = Arrays.asList(Role.values());

    @Option(
            names = "--provisioner",
            defaultValue = "bucketwright.io/bucket",
            paramLabel = "NAME",
            description = "The name that StorageClasses call this provisioner by (default: ${DEFAULT-VALUE}).")
    private String provisioner = "";

    @Option(
            names = "--store",
            defaultValue = "s3",
            paramLabel = "KIND",
            description = "The kind of store: s3, or none, which makes nothing (default: ${DEFAULT-VALUE}).")
    private String store = "";

    @Option(
            names = "--namespace",
            defaultValue = "",
            paramLabel = "NAMESPACE",
            description = "Serve the claims of this namespace only (default: all).")
    private String namespace = "";

    @Option(
            names = "--workers",
            defaultValue = "16",
            paramLabel = "N",
            description = "How many claims are worked on at once (default: ${DEFAULT-VALUE}).")
    private int workers;

    @Option(
            names = "--leader-elect",
            negatable = true,
            defaultValue = "true",
            fallbackValue = "true",
            description = "Whether several of these may run and one works (default: yes).")
    private boolean leaderElect;

    @Option(
            names = "--lease-namespace",
            defaultValue = "",
            paramLabel = "NAMESPACE",
            description = "Where the leases are (default: the pod's own namespace, else `default`).")
    private String leaseNamespace = "";

    @Option(
            names = "--lease-seconds",
            defaultValue = "15",
            paramLabel = "SECONDS",
            description = "How long a dead leader is waited for (default: ${DEFAULT-VALUE}).")
    private int leaseSeconds;

    @Option(
            names = "--listen",
            defaultValue = "127.0.0.1:0",
            paramLabel = "HOST:PORT",
            description = "Where /livez, /readyz and /metrics are served; port 0 takes a free one (default:"
                    + " ${DEFAULT-VALUE}).")
    private String listen = "";

    @Option(
            names = "--orphan-grace",
            defaultValue = "1h",
            paramLabel = "DURATION",
            description = "How long an orphan is only reported (default: ${DEFAULT-VALUE}).")
    private String orphanGrace = "";

    @Option(names = "--dry-run", description = "Report orphans and change nothing.")
    private boolean dryRun;

    @Option(
            names = "--reclaim-orphans",
            defaultValue = "revoke",
            paramLabel = "revoke|policy",
            description = "What becomes of the bucket of a claim that vanished: only access is revoked, or its reclaim"
                    + " policy acts (default: ${DEFAULT-VALUE}).")
    private Reclaim reclaimOrphans = Reclaim.REVOKE;

    @Option(
            names = "--usage-every",
            defaultValue = "15m",
            paramLabel = "DURATION",
            description = "How often each bucket's content is measured for the metrics; 0s for never (default:"
                    + " ${DEFAULT-VALUE}).")
    private String usageEvery = "";

    @Mixin
    private VolumeFlags volumes = new VolumeFlags();

    enum Reclaim {
        REVOKE,
        POLICY
    }

    @Override
    public Integer call() throws InterruptedException {
        Config client = server.config();
        ControllerOptions options = options(client);
        VolumeOptions volumeOptions = volumeOptions();
        server.requireReachable(client);
        ControllerProcess process = Roles.start(client, options, volumeOptions);
        Foreground foreground = Foreground.closing(process::close);
        // Not a field: a logger made before the flags are read would fix the log's format.
        Logger log = LoggerFactory.getLogger(ControllerCommand.class);
        log.atInfo()
                .addKeyValue("roles", options.roles())
                .addKeyValue("provisioner", provisioner)
                .addKeyValue("store", store)
                .addKeyValue("port", process.port())
                .log("Started");
        foreground.awaitEnd();
        return 0;
    }

    private ControllerOptions options(Config client) {
        if (workers < 1) {
            throw wrongUsage("--workers must be at least 1, not " + workers);
        }
        try {
            new ProvisionerName(provisioner);
            Stores.installed().factory(store);
            return new ControllerOptions(
                    only,
                    provisioner,
                    store,
                    namespace,
                    workers,
                    leaderElect,
                    leaseNamespace.isBlank() ? ownNamespace(client) : leaseNamespace,
                    timing(),
                    Optional.ofNullable(System.getenv("HOSTNAME")).orElse("bucketwright") + "-"
                            + UUID.randomUUID().toString().substring(0, 8),
                    address(),
                    duration("--orphan-grace", orphanGrace),
                    dryRun,
                    reclaimOrphans == Reclaim.POLICY,
                    duration("--usage-every", usageEvery));
        } catch (IllegalArgumentException | StoreException e) {
            throw wrongUsage(String.valueOf(e.getMessage()));
        }
    }

    private VolumeOptions volumeOptions() {
        try {
            return volumes.options();
        } catch (IllegalArgumentException e) {
            throw wrongUsage(String.valueOf(e.getMessage()));
        }
    }

    private LeaseTiming timing() {
        Duration lease = Duration.ofSeconds(leaseSeconds);
        return LeaseTiming.lasting(lease);
    }

    private InetSocketAddress address() {
        int colon = listen.lastIndexOf(':');
        try {
            return new InetSocketAddress(listen.substring(0, colon), Integer.parseInt(listen.substring(colon + 1)));
        } catch (IndexOutOfBoundsException | IllegalArgumentException e) {
            throw wrongUsage("--listen must be HOST:PORT, not \"" + listen + "\"");
        }
    }

    private Duration duration(String flag, String text) {
        try {
            return Duration.parse("PT" + text);
        } catch (DateTimeParseException e) {
            throw wrongUsage(flag + " must be a duration such as 1h, 30m or 0s, not \"" + text + "\"");
        }
    }

    private static String ownNamespace(Config client) {
        String known = client.getNamespace();
        return known == null || known.isBlank() ? "default" : known;
    }
}
