package io.bucketwright.buckets;

import io.bucketwright.buckets.claims.ClaimController.Parts;
import io.bucketwright.runtime.Leadership;
import io.bucketwright.runtime.SystemTime;
import io.bucketwright.runtime.cache.Cached;
import io.bucketwright.runtime.cache.Caches;
import io.bucketwright.runtime.cache.Scope;
import io.bucketwright.runtime.client.ApiConnection;
import io.bucketwright.runtime.controller.Controller;
import io.bucketwright.runtime.engine.Engine;
import io.bucketwright.runtime.events.EventRecorder;
import io.bucketwright.runtime.http.StatusServer;
import io.bucketwright.runtime.leader.Elector;
import io.fabric8.kubernetes.api.model.Namespace;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.time.Duration;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;

/** The parts of a process with one controller in it, wired as the command wires them for many. */
final class ControllerProcess implements AutoCloseable {

    private static final Duration DRAIN = Duration.ofSeconds(20);

    private final SystemTime time;
    private final Engine engine;
    private final Parts parts;
    private final AtomicBoolean closing = new AtomicBoolean();
    private final CountDownLatch closed = new CountDownLatch(1);

    private ControllerProcess(SystemTime time, Engine engine, Parts parts) {
        this.time = time;
        this.engine = engine;
        this.parts = parts;
    }

    static ControllerProcess open(ProcessOptions options, String reporter) {
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
        EventRecorder events = new EventRecorder(reporter, identity, connection.events(leadership), time, meters);
        engine.with(events);
        return new ControllerProcess(time, engine, new Parts(connection, caches, leadership, events, time, meters));
    }

    Parts parts() {
        return parts;
    }

    void add(Controller<?> controller) {
        engine.with(controller);
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

    @Override
    public void close() {
        if (closing.compareAndSet(false, true)) {
            engine.close();
            time.close();
            closed.countDown();
        }
    }

    /** The uid of kube-system stands for the cluster; it is watched like everything else, so it costs no read. */
    Supplier<String> clusterId() {
        Cached<Namespace> system =
                parts.caches().of(Namespace.class, Scope.everything().named("kube-system"));
        return () -> system.get("", "kube-system")
                .map(namespace -> namespace.getMetadata().getUid())
                .orElseThrow(() -> new IllegalStateException("The namespace kube-system cannot be seen, and its uid"
                        + " is the cluster's id: allow the service account to list and watch it"));
    }
}
