package io.bucketwright.volumes.process;

import io.bucketwright.runtime.Leadership;
import io.bucketwright.runtime.SystemTime;
import io.bucketwright.runtime.cache.Caches;
import io.bucketwright.runtime.client.ApiConnection;
import io.bucketwright.runtime.controller.Controller;
import io.bucketwright.runtime.engine.Engine;
import io.bucketwright.runtime.events.EventRecorder;
import io.bucketwright.runtime.http.StatusServer;
import io.bucketwright.runtime.leader.Elector;
import io.bucketwright.runtime.leader.LeaseName;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;

/** The parts of a process with one controller in it. */
public final class VolumeProcess implements AutoCloseable {

    private static final Duration DRAIN = Duration.ofSeconds(20);

    private final SystemTime time;
    private final Engine engine;
    private final StatusServer server;
    private final Parts parts;
    private final AtomicBoolean closing = new AtomicBoolean();
    private final CountDownLatch closed = new CountDownLatch(1);

    private VolumeProcess(SystemTime time, Engine engine, StatusServer server, Parts parts) {
        this.time = time;
        this.engine = engine;
        this.server = server;
        this.parts = parts;
    }

    /**
     * Prepares the parts; nothing is sent yet.
     *
     * @param reporter whom events name as their source
     */
    public static VolumeProcess open(ProcessOptions options, String reporter) {
        SystemTime time = new SystemTime();
        PrometheusMeterRegistry meters = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
        StatusServer server = new StatusServer(options.status(), meters);
        ApiConnection connection = ApiConnection.open(options.client(), time, meters, options.http());
        Caches caches = new Caches(connection.reader(), meters);
        Engine engine = new Engine(connection, caches, server, DRAIN, time);
        Leadership leadership = Leadership.always();
        Optional<LeaseName> lease = options.lease();
        if (lease.isPresent()) {
            Elector elector = new Elector(lease.get(), options.identity(), options.timing(), connection, time, meters);
            engine.with(elector);
            leadership = elector;
        }
        EventRecorder events =
                new EventRecorder(reporter, options.identity(), connection.events(leadership), time, meters);
        engine.with(events);
        return new VolumeProcess(time, engine, server, new Parts(connection, caches, leadership, events, time, meters));
    }

    public Parts parts() {
        return parts;
    }

    public void add(Controller<?> controller) {
        engine.with(controller);
    }

    /** Starts, and returns at once; an API server that is away is waited for. */
    public void start() {
        engine.start();
    }

    /** Where {@code /livez}, {@code /readyz} and {@code /metrics} are. */
    public int port() {
        return server.port();
    }

    /** Waits until the controllers work, or would if they led. */
    public void awaitWorking() throws InterruptedException {
        engine.awaitWorking();
    }

    public void awaitClosed() throws InterruptedException {
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
}
