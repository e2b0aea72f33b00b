package io.bucketwright.volumes.directories;

import io.bucketwright.runtime.Leadership;
import io.bucketwright.runtime.ObjectKey;
import io.bucketwright.runtime.SystemTime;
import io.bucketwright.runtime.cache.Cached;
import io.bucketwright.runtime.cache.Caches;
import io.bucketwright.runtime.cache.Scope;
import io.bucketwright.runtime.client.ApiConnection;
import io.bucketwright.runtime.engine.Engine;
import io.bucketwright.runtime.events.EventRecorder;
import io.bucketwright.runtime.http.StatusServer;
import io.bucketwright.runtime.leader.Elector;
import io.bucketwright.runtime.queue.Backoff;
import io.bucketwright.runtime.queue.WorkQueue;
import io.bucketwright.volumes.directories.claims.ClaimCaches;
import io.bucketwright.volumes.directories.claims.ClaimController;
import io.bucketwright.volumes.directories.released.VolumeController;
import io.bucketwright.volumes.directories.roots.RootController;
import io.bucketwright.volumes.directories.roots.Roots;
import io.bucketwright.volumes.directories.setup.ClassLookup;
import io.bucketwright.volumes.directories.setup.DirectoryMetrics;
import io.bucketwright.volumes.directories.setup.Parts;
import io.bucketwright.volumes.directories.setup.Settings;
import io.bucketwright.volumes.directories.setup.Words;
import io.fabric8.kubernetes.api.model.Namespace;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.time.Duration;
import java.util.Optional;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;

/** The parts of the process, wired. */
final class DirectoryProcess implements AutoCloseable {

    private static final Duration DRAIN = Duration.ofSeconds(20);

    private final SystemTime time;
    private final StatusServer server;
    private final Engine engine;
    private final Roots roots;
    private final AtomicBoolean closing = new AtomicBoolean();
    private final CountDownLatch closed = new CountDownLatch(1);

    private DirectoryProcess(SystemTime time, StatusServer server, Engine engine, Roots roots) {
        this.time = time;
        this.server = server;
        this.engine = engine;
        this.roots = roots;
    }

    static DirectoryProcess open(DirectoryOptions options) {
        SystemTime time = new SystemTime();
        String identity = "bucketwright-" + UUID.randomUUID();
        PrometheusMeterRegistry meters = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
        Config client = Optional.ofNullable(options.config).orElseGet(() -> new ConfigBuilder().build());
        StatusServer server = new StatusServer(options.status, meters);
        ApiConnection connection = ApiConnection.open(client, time, meters, options.http);
        Caches caches = new Caches(connection.reader(), meters);
        Engine engine = new Engine(connection, caches, server, DRAIN, time);
        Leadership leadership = Leadership.always();
        if (options.lease != null) {
            Elector elector = new Elector(options.lease, identity, options.timing, connection, time, meters);
            engine.with(elector);
            leadership = elector;
        }
        EventRecorder events =
                new EventRecorder("bucketwright.io/directories", identity, connection.events(leadership), time, meters);
        engine.with(events);
        Parts parts = new Parts(connection, caches, leadership, events, time, meters);
        Settings settings = new Settings(
                options.classes,
                options.provisioner,
                options.root,
                options.roots,
                options.namespace,
                options.node,
                clusterId(caches));
        Roots roots = new Roots(settings.allRoots(), options.folders);
        add(engine, parts, settings, roots, options);
        return new DirectoryProcess(time, server, engine, roots);
    }

    private static void add(Engine engine, Parts parts, Settings settings, Roots roots, DirectoryOptions options) {
        ClaimCaches caches = new ClaimCaches(parts.caches(), settings);
        ClassLookup classes = new ClassLookup(caches.classes, settings);
        DirectoryMetrics metrics = new DirectoryMetrics(parts.meters());
        WorkQueue<ObjectKey> claims = queue("directory-claims", parts);
        WorkQueue<ObjectKey> volumes = queue("directory-volumes", parts);
        Supplier<String> hostname = settings.node().isEmpty() ? () -> "" : hostname(parts.caches(), settings.node());
        engine.with(ClaimController.of(
                parts, settings, caches, classes, roots, metrics, hostname, claims, options.workers));
        engine.with(VolumeController.of(parts, settings, caches, roots, metrics, volumes, options.workers));
        engine.with(RootController.of(parts, settings, roots, caches.volumes, claims::add));
    }

    private static WorkQueue<ObjectKey> queue(String name, Parts parts) {
        return new WorkQueue<>(name, parts.time(), Backoff.standard(), new Random(), parts.meters());
    }

    void start() {
        engine.start();
    }

    void awaitWorking() throws InterruptedException {
        engine.awaitWorking();
    }

    void awaitClosed() throws InterruptedException {
        closed.await();
    }

    int port() {
        return server.port();
    }

    @Override
    public void close() {
        if (closing.compareAndSet(false, true)) {
            engine.close();
            roots.close();
            time.close();
            closed.countDown();
        }
    }

    /** The uid of kube-system stands for the cluster; it is watched like everything else, so it costs no read. */
    private static Supplier<String> clusterId(Caches caches) {
        Cached<Namespace> namespaces = caches.of(Namespace.class, Scope.everything());
        return () -> namespaces
                .get("", "kube-system")
                .map(namespace -> namespace.getMetadata().getUid())
                .orElseThrow(() -> new IllegalStateException("The namespace kube-system cannot be seen, and its uid"
                        + " is the cluster's id: allow the service account to list and watch namespaces"));
    }

    /** A node's label may differ from its name, and the affinity of volumes goes by the label. */
    private static Supplier<String> hostname(Caches caches, String node) {
        Cached<Node> nodes = caches.of(Node.class, Scope.everything().named(node));
        return () -> nodes.get("", node)
                .flatMap(it -> Optional.ofNullable(it.getMetadata().getLabels()))
                .flatMap(labels -> Optional.ofNullable(labels.get(Words.HOSTNAME)))
                .orElse(node);
    }
}
