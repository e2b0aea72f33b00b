package io.bucketwright.cosi.sidecar;

import io.bucketwright.api.cosi.Provisioner;
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
import io.bucketwright.runtime.leader.LeaseTiming;
import io.fabric8.kubernetes.api.model.Namespace;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.http.HttpClient;
import io.grpc.ManagedChannel;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

/** The parts of a sidecar's process, wired. */
final class SidecarProcess implements AutoCloseable {

    private static final Duration DRAIN = Duration.ofSeconds(20);

    private final SystemTime time;
    private final Engine engine;
    private final StatusServer server;
    private final DriverLink link;
    private final AtomicBoolean closing = new AtomicBoolean();
    private final CountDownLatch closed = new CountDownLatch(1);

    private SidecarProcess(SystemTime time, Engine engine, StatusServer server, DriverLink link) {
        this.time = time;
        this.engine = engine;
        this.server = server;
        this.link = link;
    }

    static SidecarProcess open(
            Optional<Config> config,
            Provisioner provisioner,
            ManagedChannel channel,
            SidecarOptions options,
            Optional<LeaseName> lease,
            LeaseTiming timing,
            InetSocketAddress status,
            UnaryOperator<HttpClient.Factory> http) {
        SystemTime time = new SystemTime();
        String identity = "bucketwright-" + UUID.randomUUID();
        PrometheusMeterRegistry meters = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
        StatusServer server = new StatusServer(status, meters);
        ApiConnection connection =
                ApiConnection.open(config.orElseGet(() -> new ConfigBuilder().build()), time, meters, http);
        Caches caches = new Caches(connection.reader(), meters);
        Engine engine = new Engine(connection, caches, server, DRAIN, time);
        Leadership leadership = Leadership.always();
        if (lease.isPresent()) {
            Elector elector = new Elector(lease.get(), identity, timing, connection, time, meters);
            engine.with(elector);
            leadership = elector;
        }
        EventRecorder events = new EventRecorder(
                "bucketwright.io/cosi-sidecar", identity, connection.events(leadership), time, meters);
        engine.with(events);
        DriverCalls calls =
                new DriverCalls(channel, provisioner.name(), options.driverCall(), options.driverCalls(), meters);
        DriverLink link = new DriverLink(channel, provisioner, calls, time);
        server.ready("driver", link::health);
        SidecarControllers.Parts parts =
                new SidecarControllers.Parts(connection, caches, leadership, events, time, meters);
        new SidecarControllers(parts, provisioner, options, link, calls, clusterId(caches))
                .all()
                .forEach(engine::with);
        return new SidecarProcess(time, engine, server, link);
    }

    int port() {
        return server.port();
    }

    void start() {
        engine.start();
        link.start();
    }

    void awaitWorking() throws InterruptedException {
        engine.awaitWorking();
    }

    void awaitClosed() throws InterruptedException {
        closed.await();
    }

    @Override
    public void close() {
        if (closing.compareAndSet(false, true)) {
            engine.close();
            link.close();
            time.close();
            closed.countDown();
        }
    }

    /** The uid of kube-system stands for the cluster; it is watched like everything else, so it costs no read. */
    private static Supplier<String> clusterId(Caches caches) {
        Cached<Namespace> system = caches.of(Namespace.class, Scope.everything().named("kube-system"));
        return () -> system.get("", "kube-system")
                .map(namespace -> namespace.getMetadata().getUid())
                .orElseThrow(() -> new IllegalStateException("The namespace kube-system cannot be seen, and its uid"
                        + " is the cluster's id: allow the service account to list and watch it"));
    }
}
