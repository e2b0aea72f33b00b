package io.bucketwright.runtime.http;

import io.bucketwright.runtime.metrics.ProcessMetrics;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;

/** The metrics of a process without controllers, such as a COSI driver, and the status server that serves them. */
public final class MetricsServer implements AutoCloseable {

    private final PrometheusMeterRegistry meters = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    private final StatusServer server;

    /**
     * Listens at that address.
     *
     * @param address port 0 takes a free one
     * @throws UncheckedIOException if the address cannot be bound
     */
    public MetricsServer(InetSocketAddress address) {
        this.server = new StatusServer(address, meters::scrape).ready("running", Health::healthy);
        ProcessMetrics.register(meters);
    }

    public MeterRegistry meters() {
        return meters;
    }

    public int port() {
        return server.port();
    }

    @Override
    public void close() {
        server.close();
        meters.close();
    }
}
