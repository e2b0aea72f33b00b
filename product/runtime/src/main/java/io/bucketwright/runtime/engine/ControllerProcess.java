package io.bucketwright.runtime.engine;

import io.bucketwright.runtime.Leadership;
import io.bucketwright.runtime.SystemTime;
import io.bucketwright.runtime.cache.ObjectCaches;
import io.bucketwright.runtime.client.ApiConnection;
import io.bucketwright.runtime.events.EventRecorder;
import io.bucketwright.runtime.http.StatusServer;
import io.bucketwright.runtime.keepalive.Keepalive;
import io.bucketwright.runtime.leader.Elector;
import io.bucketwright.runtime.leader.HolderProcess;
import io.bucketwright.runtime.leader.LeaseName;
import io.bucketwright.runtime.leader.LeaseTiming;
import io.bucketwright.runtime.metrics.ProcessMetrics;
import io.bucketwright.runtime.metrics.RoleMetrics;
import io.bucketwright.runtime.metrics.ScrapedGauges;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.http.HttpClient;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** A process that runs controllers. Builders of roles register their controllers with it. */
public final class ControllerProcess implements AutoCloseable {

    /** Kubernetes kills a pod 30 seconds after SIGTERM; all that follows takes at most seven seconds. */
    private static final Duration DRAIN = Duration.ofSeconds(17);

    private final String identity;
    private final Map<String, String> description;
    private final SystemTime time = new SystemTime();
    private final PrometheusMeterRegistry meters = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    private final ScrapedGauges scraped = new ScrapedGauges(meters);
    private final StatusServer server;
    private final HolderProcess holder;
    private final ApiConnection connection;
    private final ObjectCaches caches;
    private final Engine engine;
    private final List<Runnable> starts = new ArrayList<>();
    private final List<Runnable> ends = new ArrayList<>();
    private final AtomicBoolean closing = new AtomicBoolean();
    private final CountDownLatch closed = new CountDownLatch(1);

    /** Prepares the process; nothing is sent yet. */
    ControllerProcess(
            Config client,
            String identity,
            InetSocketAddress status,
            UnaryOperator<HttpClient.Factory> http,
            Map<String, String> description) {
        this.identity = identity;
        this.description = Map.copyOf(description);
        this.server = new StatusServer(status, this::metrics);
        // The server is closed after the last work: who has its address knows that this process does nothing any more.
        this.holder = HolderProcess.listeningAt(server.address());
        this.connection = new ApiConnection(client, Keepalive.standard(), time, meters, http);
        this.caches = new ObjectCaches(connection, meters);
        this.engine = new Engine(connection, caches, server, DRAIN);
        ProcessMetrics.register(meters);
    }

    /** A process without controllers; add roles to it with {@link ControllerProcessBuilder#addTo}. */
    public static Builder builder() {
        return new Builder();
    }

    /** Options of a process to which several roles are added. */
    public static final class Builder extends ControllerProcessBuilder<Builder> {

        private Builder() {
            super("");
        }

        @Override
        protected void register(ControllerContext context, ControllerProcess process) {
            // This process has no role of its own; the caller adds roles.
        }
    }

    /**
     * The context of a role.
     *
     * @param reporter the controller that events name as their source
     * @param name in metrics
     * @param lease for leader election; null if there is none
     * @param ofRole what the Lease says about the role, beside what it says about the process
     */
    ControllerContext role(
            String reporter, String name, @Nullable LeaseName lease, LeaseTiming timing, Map<String, String> ofRole) {
        ObjectCaches own = caches.ofRole();
        EngineRole role = engine.role(reporter, own);
        Leadership leadership = Leadership.always();
        if (lease != null) {
            Map<String, String> all = new HashMap<>(description);
            all.putAll(ofRole);
            Elector elector = new Elector(
                    new LeaseName(lease.namespace(), lease.name(), all),
                    identity,
                    holder,
                    timing,
                    connection,
                    time,
                    meters);
            leadership = role.with(elector, time);
        }
        EventRecorder events = new EventRecorder(reporter, identity, connection.events(leadership), time, meters);
        role.with(events);
        return new ControllerContext(
                connection.writer(leadership, own),
                connection.objects(),
                own,
                leadership,
                events,
                time,
                meters,
                new RoleMetrics(name, meters, leadership, scraped),
                new SecureRandom(),
                role::with);
    }

    /** Runs after the engine has started. */
    public ControllerProcess onStart(Runnable work) {
        starts.add(work);
        return this;
    }

    /** Runs after the last act of the last controller; what was added last runs first. */
    public ControllerProcess onClose(Runnable work) {
        ends.add(work);
        return this;
    }

    public StatusServer server() {
        return server;
    }

    /** The port of {@code /livez}, {@code /readyz} and {@code /metrics}. */
    public int port() {
        return server.port();
    }

    /**
     * Requests the version of the API server once, over the connection that the process uses afterwards.
     *
     * @return the HTTP status of the response, such as 401 if the server rejects the credentials
     * @throws IOException if there is no response
     */
    public int requestVersion(Duration timeout) throws IOException {
        return connection.requestVersion(timeout);
    }

    /**
     * Whether the API server serves this version of an API group. Sends one request.
     *
     * @throws IOException if there is no response, or one that does not say it
     */
    public boolean serves(String group, String version, Duration timeout) throws IOException {
        return connection.serves(group, version, timeout);
    }

    /** For metrics of what runs in this process and is no role. */
    public MeterRegistry meters() {
        return meters;
    }

    /** The metrics in the format of Prometheus. */
    public String metrics() {
        return scraped.read(meters::scrape);
    }

    /** Starts, and returns when another thread closes the process. */
    public void run() throws InterruptedException {
        start();
        awaitClosed();
    }

    /** Starts, and returns at once; waits for an unavailable API server in the background. A process that fails to start is closed. */
    public ControllerProcess start() {
        try {
            engine.start();
            starts.forEach(Runnable::run);
            return this;
        } catch (RuntimeException e) {
            close();
            throw e;
        }
    }

    /** Waits until the caches are synced and the controllers run, or would run if this process led. */
    public void awaitReady() throws InterruptedException {
        engine.awaitReady();
    }

    /** Waits as {@link #awaitReady()}, but not longer than the timeout; false if it ends before. */
    public boolean awaitReady(Duration timeout) throws InterruptedException {
        return engine.awaitReady(timeout);
    }

    public void awaitClosed() throws InterruptedException {
        closed.await();
    }

    @Override
    public void close() {
        if (closing.compareAndSet(false, true)) {
            engine.close();
            ends.reversed().forEach(Runnable::run);
            time.close();
            closed.countDown();
        }
    }
}
