package io.bucketwright.app.controller;

import io.bucketwright.buckets.claims.ClaimController;
import io.bucketwright.buckets.claims.ClaimController.Parts;
import io.bucketwright.buckets.claims.ProvisionerName;
import io.bucketwright.buckets.claims.Settings;
import io.bucketwright.buckets.claims.Tuning;
import io.bucketwright.buckets.claims.UsageController;
import io.bucketwright.buckets.orphans.OrphanController;
import io.bucketwright.buckets.orphans.OrphanRules;
import io.bucketwright.buckets.stores.AdministratorSecrets;
import io.bucketwright.buckets.stores.StoreOfClass;
import io.bucketwright.buckets.stores.StoreSource;
import io.bucketwright.runtime.Leadership;
import io.bucketwright.runtime.SystemTime;
import io.bucketwright.runtime.cache.Cached;
import io.bucketwright.runtime.cache.Caches;
import io.bucketwright.runtime.cache.Scope;
import io.bucketwright.runtime.client.ApiConnection;
import io.bucketwright.runtime.engine.Engine;
import io.bucketwright.runtime.events.EventRecorder;
import io.bucketwright.runtime.http.StatusServer;
import io.bucketwright.runtime.leader.Elector;
import io.bucketwright.runtime.leader.LeaseName;
import io.bucketwright.store.Stores;
import io.bucketwright.volumes.podclaims.PodClaimController;
import io.bucketwright.volumes.releaser.ReleaserController;
import io.fabric8.kubernetes.api.model.Namespace;
import io.fabric8.kubernetes.client.Config;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/** The roles of one process, wired. */
public final class ControllerProcess implements AutoCloseable {

    private static final Duration DRAIN = Duration.ofSeconds(20);

    private final SystemTime time = new SystemTime();
    private final PrometheusMeterRegistry meters = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    private final List<StoreSource> stores = new ArrayList<>();
    private final ControllerOptions options;
    private final VolumeOptions volumes;
    private final StatusServer server;
    private final ApiConnection connection;
    private final Caches caches;
    private final Engine engine;

    private ControllerProcess(Config client, ControllerOptions options, VolumeOptions volumes) {
        this.options = options;
        this.volumes = volumes;
        this.server = new StatusServer(options.listen(), meters);
        this.connection = ApiConnection.open(client, time, meters);
        this.caches = new Caches(connection.reader(), meters);
        this.engine = new Engine(connection, caches, server, DRAIN, time);
    }

    /** Starts the roles and returns at once. */
    public static ControllerProcess start(Config client, ControllerOptions options) {
        return start(client, options, VolumeOptions.standard());
    }

    /** Starts the roles, those about volumes as told, and returns at once. */
    public static ControllerProcess start(Config client, ControllerOptions options, VolumeOptions volumes) {
        ControllerProcess process = new ControllerProcess(client, options, volumes);
        options.roles().forEach(process::add);
        process.engine.start();
        return process;
    }

    /** Where {@code /livez}, {@code /readyz} and {@code /metrics} are. */
    public int port() {
        return server.port();
    }

    /** Waits until there is work, or would be if this process led. */
    public void awaitWorking() throws InterruptedException {
        engine.awaitWorking();
    }

    @Override
    public void close() {
        engine.close();
        stores.forEach(StoreSource::close);
        time.close();
    }

    private void add(Role role) {
        Parts parts = parts(role);
        switch (role) {
            case BUCKETS -> {
                StoreSource source = new StoreOfClass(
                        Stores.installed(), options.store(), new AdministratorSecrets(connection.reader()));
                stores.add(source);
                Settings settings = new Settings(
                        new ProvisionerName(options.provisioner()), Map.of(), clusterId(), options.namespace());
                Tuning tuning = Tuning.standard();
                engine.with(ClaimController.of(
                        parts,
                        settings,
                        source,
                        new Tuning(
                                options.workers(),
                                Math.max(1, options.workers() * 3 / 4),
                                tuning.storeCall(),
                                options.reclaimOrphansByPolicy())));
                if (options.usageEvery().isPositive()) {
                    engine.with(UsageController.of(parts, settings, source, options.usageEvery()));
                }
            }
            case ORPHANS ->
                engine.with(OrphanController.of(parts, new OrphanRules(options.orphanGrace(), options.dryRun())));
            case POD_CLAIMS ->
                engine.with(PodClaimController.of(
                        volumeParts(parts), volumes.podClaims(options.namespace(), options.workers())));
            case RELEASER ->
                engine.with(ReleaserController.of(volumeParts(parts), volumes.releaser(options.workers())));
        }
    }

    private static io.bucketwright.volumes.process.Parts volumeParts(Parts parts) {
        return new io.bucketwright.volumes.process.Parts(
                parts.connection(), parts.caches(), parts.leadership(), parts.events(), parts.time(), parts.meters());
    }

    private static String reporter(Role role) {
        return switch (role) {
            case BUCKETS, ORPHANS -> "bucketwright.io/" + role.word();
            case POD_CLAIMS -> PodClaimController.REPORTER;
            case RELEASER -> ReleaserController.REPORTER;
        };
    }

    private Parts parts(Role role) {
        Leadership leadership = Leadership.always();
        if (options.leaderElect()) {
            LeaseName lease = new LeaseName(options.leaseNamespace(), "bucketwright-" + role.word());
            Elector elector = new Elector(lease, options.identity(), options.leaseTiming(), connection, time, meters);
            engine.with(elector);
            leadership = elector;
        }
        EventRecorder events = new EventRecorder(
                reporter(role), options.identity(), connection.events(leadership), time, meters);
        engine.with(events);
        return new Parts(connection, caches, leadership, events, time, meters);
    }

    /** The uid of kube-system stands for the cluster; it is watched like everything else, so it costs no read. */
    private Supplier<String> clusterId() {
        Cached<Namespace> system = caches.of(Namespace.class, Scope.everything().named("kube-system"));
        return () -> system.get("", "kube-system")
                .map(namespace -> namespace.getMetadata().getUid())
                .orElseThrow(() -> new IllegalStateException("The namespace kube-system cannot be seen, and its uid"
                        + " is the cluster's id: allow the service account to list and watch it"));
    }
}
