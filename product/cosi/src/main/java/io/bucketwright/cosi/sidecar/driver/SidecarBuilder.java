package io.bucketwright.cosi.sidecar.driver;

import io.bucketwright.cosi.wire.InProcessServer;
import io.bucketwright.cosi.wire.SocketChannels;
import io.bucketwright.cosi.wire.SocketPath;
import io.bucketwright.runtime.engine.ControllerContext;
import io.bucketwright.runtime.engine.ControllerProcess;
import io.bucketwright.runtime.engine.ControllerProcessBuilder;
import io.bucketwright.runtime.objects.DurationText;
import io.grpc.BindableService;
import io.grpc.ManagedChannel;
import java.time.Duration;
import java.util.List;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Options of a sidecar of any API. The driver is required.
 *
 * @param <B> the builder itself
 */
public abstract class SidecarBuilder<B extends SidecarBuilder<B>> extends ControllerProcessBuilder<B> {

    /** Some drivers create a storage account, or delete the objects of a bucket, before they answer. */
    public static final Duration DEFAULT_TIMEOUT = Duration.ofMinutes(5);

    private static final Duration MAX_TIMEOUT = Duration.ofMinutes(10);

    private @Nullable BiFunction<ControllerContext, ControllerProcess, ManagedChannel> driver;
    private boolean namesAreIds;
    private Duration driverTimeout = DEFAULT_TIMEOUT;

    protected SidecarBuilder() {
        super("bucketwright.io/cosi-sidecar");
    }

    /** The driver's socket, such as {@code unix:///var/lib/cosi/cosi.sock}. */
    public final B driver(String endpoint) {
        SocketPath socket = SocketPath.parse(endpoint);
        driver = (_, _) -> SocketChannels.open(socket);
        return self();
    }

    /**
     * A driver in this process, instead of one at a socket. The caller closes it after the process.
     *
     * @param services of the driver, by the id of the cluster
     */
    public final B driver(Function<Supplier<String>, List<BindableService>> services) {
        namesAreIds = true;
        driver = (context, process) -> {
            InProcessServer server = InProcessServer.start(services.apply(context.clusterId()));
            process.onClose(server::close);
            return server.channel();
        };
        return self();
    }

    /** The deadline of one call to the driver, at most 10 minutes; by default 5 minutes. It does not depend on the lease. */
    public final B driverTimeout(Duration value) {
        if (!value.isPositive() || value.compareTo(MAX_TIMEOUT) > 0) {
            throw new IllegalArgumentException("The driver timeout must be positive and at most "
                    + DurationText.of(MAX_TIMEOUT) + ", not " + DurationText.of(value) + ".");
        }
        driverTimeout = value;
        return self();
    }

    /** Whether the driver is Bucketwright's own, whose accounts have the ids that they are requested by. */
    protected final boolean namesAreIds() {
        return namesAreIds;
    }

    protected final Duration driverTimeout() {
        return driverTimeout;
    }

    /**
     * Connects the process to the driver, from its start until it is closed.
     *
     * @param names the names of the driver that are accepted
     * @param dialects the dialects that are tried at the channel, the preferred one first
     */
    protected final DriverConnection connect(
            ControllerContext context,
            ControllerProcess process,
            List<String> names,
            Function<ManagedChannel, List<Driver>> dialects) {
        BiFunction<ControllerContext, ControllerProcess, ManagedChannel> channels = driver;
        if (channels == null) {
            throw new IllegalStateException("A sidecar needs a driver: call driver(...).");
        }
        ManagedChannel channel = channels.apply(context, process);
        DriverConnection connection = new DriverConnection(channel, names, dialects.apply(channel), context.time());
        process.server().ready("driver", connection::health);
        process.onStart(connection::start).onClose(connection::close);
        return connection;
    }
}
