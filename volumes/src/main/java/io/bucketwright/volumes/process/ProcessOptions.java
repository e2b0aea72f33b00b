package io.bucketwright.volumes.process;

import io.bucketwright.runtime.leader.LeaseName;
import io.bucketwright.runtime.leader.LeaseTiming;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.http.HttpClient;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Optional;
import java.util.UUID;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** What the builders of this module have in common; each has a default. */
public final class ProcessOptions {

    private @Nullable Config config;
    private @Nullable LeaseName lease;
    private LeaseTiming timing = LeaseTiming.standard();
    private String identity = "bucketwright-" + UUID.randomUUID();
    private InetSocketAddress status = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    private UnaryOperator<HttpClient.Factory> http = UnaryOperator.identity();

    /** How to reach the API server; without it, as kubectl or a pod would. */
    public void client(Config value) {
        config = value;
    }

    /** Runs for this lease, so that of several processes one works; without it, this process must be alone. */
    public void lease(LeaseName name, LeaseTiming leaseTiming) {
        lease = name;
        timing = leaseTiming;
    }

    /** This process, as the lease and the events name it. */
    public void identity(String value) {
        identity = value;
    }

    /** Where health and metrics are served; without it, at a free local port. */
    public void status(InetSocketAddress address) {
        status = address;
    }

    /** Wraps the HTTP client, as tests do that count or break requests. */
    public void http(UnaryOperator<HttpClient.Factory> wrap) {
        http = wrap;
    }

    Config client() {
        return Optional.ofNullable(config).orElseGet(() -> new ConfigBuilder().build());
    }

    Optional<LeaseName> lease() {
        return Optional.ofNullable(lease);
    }

    LeaseTiming timing() {
        return timing;
    }

    String identity() {
        return identity;
    }

    InetSocketAddress status() {
        return status;
    }

    UnaryOperator<HttpClient.Factory> http() {
        return http;
    }
}
