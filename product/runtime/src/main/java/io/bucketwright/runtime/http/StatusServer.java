package io.bucketwright.runtime.http;

import io.bucketwright.runtime.http.StatusListener.Page;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;

/** Serves {@code /livez}, {@code /readyz} and {@code /metrics}. */
public final class StatusServer implements AutoCloseable {

    /** Each has a page of metrics in memory until the client has read it. */
    private static final int MOST_SCRAPES = 4;

    private static final Duration PAUSE = Duration.ofMillis(20);

    private static final Page STARTING = Page.plain(503, "the process is starting");

    private final StatusListener listener;
    private final OpenConnections scrapes = new OpenConnections(MOST_SCRAPES);
    /** Scrapes read all caches, so they use one core at most. */
    private final ReentrantLock scraping = new ReentrantLock();

    private final Supplier<String> metrics;
    private final Map<String, Supplier<Health>> liveness = new ConcurrentSkipListMap<>();
    private final Map<String, Supplier<Health>> readiness = new ConcurrentSkipListMap<>();

    /**
     * Listens at that address.
     *
     * @param address port 0 takes a free one
     * @param metrics in the text format of Prometheus
     */
    public StatusServer(InetSocketAddress address, Supplier<String> metrics) {
        this.metrics = metrics;
        try {
            listener = new StatusListener(address, this::page);
        } catch (IOException e) {
            throw new UncheckedIOException(
                    "Cannot listen at " + address + " for /livez, /readyz and /metrics; choose another port", e);
        }
    }

    /** Adds a liveness check: the kubelet restarts the process if it fails for long. Checks run on each probe, so they must be fast. */
    public StatusServer live(String name, Supplier<Health> check) {
        liveness.put(name, check);
        return this;
    }

    /** Adds a readiness check: the process is not ready while it fails. */
    public StatusServer ready(String name, Supplier<Health> check) {
        readiness.put(name, check);
        return this;
    }

    /** The address that this server listens at. */
    public InetSocketAddress address() {
        return listener.address();
    }

    public int port() {
        return listener.address().getPort();
    }

    @Override
    public void close() {
        listener.close();
    }

    private Page page(String path, OpenConnections.Connection connection) {
        return switch (path) {
            case "/livez" -> page("livez", liveness);
            // It listens before it knows what its process consists of.
            case "/readyz" -> readiness.isEmpty() ? STARTING : page("readyz", readiness);
            case "/metrics" -> metrics(connection);
            default -> Page.plain(404, "not found");
        };
    }

    private Page metrics(OpenConnections.Connection connection) {
        scrapes.add(connection);
        try {
            // A connection that was closed meanwhile must not keep its thread, which probes need.
            while (connection.isOpen()) {
                if (scraping.tryLock(PAUSE.toMillis(), TimeUnit.MILLISECONDS)) {
                    return collected();
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        return Page.plain(503, "too many requests for metrics");
    }

    private Page collected() {
        try {
            return new Page(200, "text/plain; version=0.0.4; charset=utf-8", metrics.get());
        } finally {
            scraping.unlock();
        }
    }

    private static Page page(String name, Map<String, Supplier<Health>> checks) {
        StringBuilder body = new StringBuilder();
        boolean healthy = true;
        for (Map.Entry<String, Supplier<Health>> check : checks.entrySet()) {
            Health health = run(check.getValue());
            healthy &= health.isHealthy();
            body.append(health.isHealthy() ? "[+]" : "[-]")
                    .append(check.getKey())
                    .append(health.isHealthy() ? " ok" : " failed: " + health.problem())
                    .append('\n');
        }
        body.append(name).append(healthy ? " check passed" : " check failed");
        return Page.plain(healthy ? 200 : 503, body.toString());
    }

    private static Health run(Supplier<Health> check) {
        try {
            return check.get();
        } catch (RuntimeException e) {
            return Health.unhealthy("the check itself failed: " + e);
        }
    }
}
