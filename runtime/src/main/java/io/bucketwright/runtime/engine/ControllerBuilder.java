package io.bucketwright.runtime.engine;

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

/**
 * What the builder of every process with one role in it takes; nothing of it is needed.
 *
 * @param <B> the builder itself
 */
public abstract class ControllerBuilder<B extends ControllerBuilder<B>> {

    private @Nullable Config client;
    private @Nullable LeaseName lease;
    private LeaseTiming timing = LeaseTiming.standard();
    private String identity = "bucketwright-" + UUID.randomUUID();
    private InetSocketAddress status = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    private UnaryOperator<HttpClient.Factory> http = UnaryOperator.identity();

    protected abstract B self();

    /** How to reach the API server; without it, as kubectl or a pod would. */
    public B client(Config value) {
        client = value;
        return self();
    }

    /** Runs for this lease, so that of several processes one works; without it, this process must be alone. */
    public B lease(String namespace, String name, LeaseTiming leaseTiming) {
        lease = new LeaseName(namespace, name);
        timing = leaseTiming;
        return self();
    }

    /** This process, as the lease and the events name it; without it, a name that nobody else has. */
    public B identity(String value) {
        identity = value;
        return self();
    }

    /** Where {@code /livez}, {@code /readyz} and {@code /metrics} are served; without it, at a free local port. */
    public B status(InetSocketAddress address) {
        status = address;
        return self();
    }

    /** Wraps the HTTP client, as tests do that count or break requests. */
    public B http(UnaryOperator<HttpClient.Factory> wrap) {
        http = wrap;
        return self();
    }

    /** The process, nothing in it yet. */
    protected final ControllerProcess open() {
        Config config = Optional.ofNullable(client).orElseGet(() -> new ConfigBuilder().build());
        return ControllerProcess.open(new ProcessOptions(config, identity, timing, status, http));
    }

    /** The parts of the one role, led by the lease if one was given. */
    protected final ControllerContext role(ControllerProcess process, String reporter) {
        return Optional.ofNullable(lease)
                .map(name -> process.role(reporter, name))
                .orElseGet(() -> process.role(reporter));
    }
}
