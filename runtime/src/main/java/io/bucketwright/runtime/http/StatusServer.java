package io.bucketwright.runtime.http;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Supplier;

/** Serves {@code /livez}, {@code /readyz} and {@code /metrics}. */
public final class StatusServer implements AutoCloseable {

    private record Page(int code, String contentType, String body) {}

    private final HttpServer server;
    private final ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor();
    private final Map<String, Supplier<Health>> liveness = new ConcurrentSkipListMap<>();
    private final Map<String, Supplier<Health>> readiness = new ConcurrentSkipListMap<>();

    /**
     * Listens at that address.
     *
     * @param address port 0 takes a free one
     * @param metrics in the text format of Prometheus
     */
    public StatusServer(InetSocketAddress address, Supplier<String> metrics) {
        try {
            server = HttpServer.create(address, 0);
        } catch (IOException e) {
            throw new UncheckedIOException(
                    "Cannot listen at " + address + " for /livez, /readyz and /metrics; choose another port", e);
        }
        server.setExecutor(executor);
        serve("/livez", () -> page("livez", liveness));
        serve("/readyz", () -> page("readyz", readiness));
        serve("/metrics", () -> new Page(200, "text/plain; version=0.0.4; charset=utf-8", metrics.get()));
        server.start();
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
        return server.getAddress();
    }

    public int port() {
        return server.getAddress().getPort();
    }

    @Override
    public void close() {
        server.stop(0);
        executor.shutdownNow();
    }

    private void serve(String path, Supplier<Page> content) {
        server.createContext(path, exchange -> {
            try (exchange) {
                boolean known = exchange.getRequestURI().getPath().equals(path);
                boolean read = exchange.getRequestMethod().equals("GET");
                answer(exchange, !known ? plain(404, "not found") : !read ? plain(405, "GET only") : content.get());
            }
        });
    }

    private static void answer(HttpExchange exchange, Page page) throws IOException {
        byte[] bytes = page.body().getBytes(StandardCharsets.UTF_8);
        exchange.getResponseHeaders().set("Content-Type", page.contentType());
        exchange.sendResponseHeaders(page.code(), bytes.length);
        exchange.getResponseBody().write(bytes);
    }

    private static Page plain(int code, String text) {
        return new Page(code, "text/plain; charset=utf-8", text + "\n");
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
        return plain(healthy ? 200 : 503, body.toString());
    }

    private static Health run(Supplier<Health> check) {
        try {
            return check.get();
        } catch (RuntimeException e) {
            return Health.unhealthy("the check itself failed: " + e);
        }
    }
}
