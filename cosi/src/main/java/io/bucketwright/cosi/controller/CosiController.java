package io.bucketwright.cosi.controller;

import io.bucketwright.runtime.Leadership;
import io.bucketwright.runtime.SystemTime;
import io.bucketwright.runtime.cache.Caches;
import io.bucketwright.runtime.client.ApiConnection;
import io.bucketwright.runtime.engine.Engine;
import io.bucketwright.runtime.events.EventRecorder;
import io.bucketwright.runtime.http.StatusServer;
import io.bucketwright.runtime.leader.Elector;
import io.bucketwright.runtime.leader.LeaseName;
import io.bucketwright.runtime.leader.LeaseTiming;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.http.HttpClient;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The central controller of COSI in one process.
 *
 * {@snippet :
 * try (CosiController controller = CosiController.builder().build()) {
 *     controller.run();
 * }
 * }
 */
public final class CosiController implements AutoCloseable {

    private static final Duration DRAIN = Duration.ofSeconds(20);

    private final SystemTime time;
    private final Engine engine;
    private final PrometheusMeterRegistry meters;
    private final AtomicBoolean closing = new AtomicBoolean();
    private final CountDownLatch closed = new CountDownLatch(1);

    private CosiController(SystemTime time, Engine engine, PrometheusMeterRegistry meters) {
        this.time = time;
        this.engine = engine;
        this.meters = meters;
    }

    public static Builder builder() {
        return new Builder();
    }

    /** Starts, and returns at once; an API server that is away is waited for. */
    public CosiController start() {
        engine.start();
        return this;
    }

    /** Waits until requests are worked on, or would be if this process led. */
    public void awaitWorking() throws InterruptedException {
        engine.awaitWorking();
    }

    /** Starts, and returns when another thread closes it. */
    public void run() throws InterruptedException {
        engine.start();
        closed.await();
    }

    /** The metrics as Prometheus reads them. */
    public String metrics() {
        return meters.scrape();
    }

    /** Finishes what is in work, gives the lease back, and ends. */
    @Override
    public void close() {
        if (closing.compareAndSet(false, true)) {
            engine.close();
            time.close();
            closed.countDown();
        }
    }

    /** What a controller is told; nothing is needed. */
    public static final class Builder {

        private @Nullable Config config;
        private @Nullable LeaseName lease;
        private LeaseTiming timing = LeaseTiming.standard();
        private InetSocketAddress status = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
        private UnaryOperator<HttpClient.Factory> http = UnaryOperator.identity();
        private int workers = 8;

        private Builder() {}

        /** How to reach the API server; without it, as kubectl or a pod would. */
        public Builder client(Config value) {
            config = value;
            return this;
        }

        /** How many objects of each kind are worked on at once. */
        public Builder workers(int value) {
            workers = value;
            return this;
        }

        /** Runs for this lease, so that of several processes one works; without it, this process must be alone. */
        public Builder lease(String namespace, String name, LeaseTiming leaseTiming) {
            lease = new LeaseName(namespace, name);
            timing = leaseTiming;
            return this;
        }

        /** Where {@code /livez}, {@code /readyz} and {@code /metrics} are served; without it, at a free local port. */
        public Builder status(InetSocketAddress address) {
            status = address;
            return this;
        }

        /** Wraps the HTTP client, as tests do that count or break requests. */
        public Builder http(UnaryOperator<HttpClient.Factory> wrap) {
            http = wrap;
            return this;
        }

        public CosiController build() {
            SystemTime time = new SystemTime();
            String identity = "bucketwright-" + UUID.randomUUID();
            PrometheusMeterRegistry meters = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
            Config client = Optional.ofNullable(config).orElseGet(() -> new ConfigBuilder().build());
            StatusServer server = new StatusServer(status, meters);
            ApiConnection connection = ApiConnection.open(client, time, meters, http);
            Caches caches = new Caches(connection.reader(), meters);
            Engine engine = new Engine(connection, caches, server, DRAIN, time);
            Leadership leadership = Leadership.always();
            if (lease != null) {
                Elector elector = new Elector(lease, identity, timing, connection, time, meters);
                engine.with(elector);
                leadership = elector;
            }
            EventRecorder events =
                    new EventRecorder("bucketwright.io/cosi", identity, connection.events(leadership), time, meters);
            engine.with(events);
            CosiLoops.of(new CosiLoops.Parts(connection, caches, leadership, events, time, meters), workers)
                    .forEach(engine::with);
            return new CosiController(time, engine, meters);
        }
    }
}
