package io.bucketwright.runtime.engine;

import io.bucketwright.runtime.leader.LeaseName;
import io.bucketwright.runtime.leader.LeaseTiming;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.http.HttpClient;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.UUID;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Options of a controller process with one role; all of them are optional. {@link #build} makes a process for the role, {@link
 * #addTo} adds the role to a process that exists.
 *
 * @param <B> the builder itself
 */
public abstract class ControllerProcessBuilder<B extends ControllerProcessBuilder<B>> {

    private final String reporter;
    private final String role;
    private @Nullable Path kubeconfig;
    private String context = "";
    private @Nullable Config client;
    private @Nullable LeaseName lease;
    private final Map<String, String> description = new HashMap<>();
    private LeaseTiming timing = LeaseTiming.standard();
    private int workers = 8;
    private String identity = "bucketwright-" + UUID.randomUUID();
    private InetSocketAddress status = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    private UnaryOperator<HttpClient.Factory> http = UnaryOperator.identity();

    /**
     * A builder with default options.
     *
     * @param reporter the controller that events name as their source; empty for a process without a role of its own
     */
    protected ControllerProcessBuilder(String reporter) {
        this(reporter, reporter.substring(reporter.lastIndexOf('/') + 1));
    }

    /**
     * A builder with default options.
     *
     * @param reporter the controller that events name as their source
     * @param role the name of the role in metrics, if it is not the last part of the reporter
     */
    protected ControllerProcessBuilder(String reporter, String role) {
        this.reporter = reporter;
        this.role = role;
    }

    /** Registers the controllers of the role with its context. Called once for each process. */
    protected abstract void register(ControllerContext context, ControllerProcess process);

    /** The kubeconfig file; without it, the one that kubectl or a pod would use. */
    public B kubeconfig(Path file) {
        kubeconfig = file;
        return self();
    }

    /** The context of the kubeconfig; without it, the current one. {@link #build} fails if there is no such context. */
    public B context(String name) {
        context = name;
        return self();
    }

    /** Enables leader election with this Lease; without it, only one process with this role may run. */
    public B lease(String namespace, String name, LeaseTiming leaseTiming) {
        lease = new LeaseName(namespace, name);
        timing = leaseTiming;
        return self();
    }

    /**
     * Adds to what the Lease says about this role, such as {@link LeaseName#SERVES}. On the builder of a process, it is said in
     * the Leases of all roles.
     */
    public B describe(String key, String value) {
        description.put(key, value);
        return self();
    }

    /** The name of this process in the Lease and in events; without it, a unique one. */
    public B identity(String value) {
        identity = value;
        return self();
    }

    /** How many keys each controller of the role reconciles at once; without it, 8 unless the role says otherwise. */
    public B workers(int number) {
        if (number < 1) {
            throw new IllegalArgumentException("The number of workers must be positive, got " + number + ".");
        }
        workers = number;
        return self();
    }

    protected final int workers() {
        return workers;
    }

    /** The address of {@code /livez}, {@code /readyz} and {@code /metrics}; without it, a free port of the loopback address. */
    public B status(InetSocketAddress address) {
        status = address;
        return self();
    }

    final void client(Config value) {
        client = value;
    }

    final void http(UnaryOperator<HttpClient.Factory> wrap) {
        http = wrap;
    }

    /** A process with this role; start it next. */
    public final ControllerProcess build() {
        ControllerProcess process = new ControllerProcess(config(), identity, status, http, description);
        try {
            addTo(process);
            return process;
        } catch (RuntimeException e) {
            process.close();
            throw e;
        }
    }

    /** Adds this role to a process that has not started. Connection, identity and status address are those of the process. */
    public final void addTo(ControllerProcess process) {
        if (!reporter.isEmpty()) {
            register(process.role(reporter, role, lease, timing, description), process);
        }
    }

    private Config config() {
        if (client != null) {
            return client;
        }
        return new Kubeconfig(kubeconfig, context.isEmpty() ? null : context).load();
    }

    @SuppressWarnings("unchecked") // B is the type of the builder itself
    protected final B self() {
        return (B) this;
    }
}
