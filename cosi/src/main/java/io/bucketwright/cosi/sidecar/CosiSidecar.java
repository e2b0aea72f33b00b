package io.bucketwright.cosi.sidecar;

import io.bucketwright.api.cosi.Provisioner;
import io.bucketwright.cosi.sidecar.accesses.SidecarAccessController;
import io.bucketwright.cosi.sidecar.buckets.SidecarBucketController;
import io.bucketwright.cosi.sidecar.cache.ProvisionerSecrets;
import io.bucketwright.cosi.sidecar.cache.SidecarCaches;
import io.bucketwright.cosi.sidecar.dialect.CallSettings;
import io.bucketwright.cosi.sidecar.dialect.CosiV1Driver;
import io.bucketwright.cosi.sidecar.dialect.ReleasedDriver;
import io.bucketwright.cosi.sidecar.driver.DriverConnection;
import io.bucketwright.cosi.sidecar.driver.SidecarContext;
import io.bucketwright.cosi.wire.InProcessServer;
import io.bucketwright.cosi.wire.SocketChannels;
import io.bucketwright.cosi.wire.SocketPath;
import io.bucketwright.runtime.engine.ControllerContext;
import io.bucketwright.runtime.engine.ControllerProcess;
import io.bucketwright.runtime.engine.ControllerProcessBuilder;
import io.bucketwright.runtime.objects.SafeText;
import io.grpc.BindableService;
import io.grpc.ManagedChannel;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The sidecar of a COSI driver. It provisions the Buckets and BucketAccesses of one provisioner with the driver at one
 * socket, or with one in the same process.
 *
 * {@snippet :
 * try (ControllerProcess sidecar = CosiSidecar.builder()
 *         .provisioner("store/s3.example.com")
 *         .driver("unix:///run/cosi/cosi.sock")
 *         .build()) {
 *     sidecar.run();
 * }
 * }
 */
public final class CosiSidecar {

    private CosiSidecar() {}

    public static Builder builder() {
        return new Builder();
    }

    /** Options of a sidecar. The provisioner and the driver are required. */
    public static final class Builder extends ControllerProcessBuilder<Builder> {

        private @Nullable Provisioner provisioner;
        private @Nullable Function<ControllerProcess, ManagedChannel> driver;
        private int workers = 8;
        private Duration driverTimeout = Duration.ofSeconds(10);
        private Set<String> secretNamespaces = Set.of();

        private Builder() {
            super("bucketwright.io/cosi-sidecar");
        }

        /** The provisioner as classes name it: {@code <namespace>/<name>}. */
        public Builder provisioner(String text) {
            provisioner = Provisioner.of(text)
                    .orElseThrow(() -> new IllegalArgumentException("The provisioner " + SafeText.quoted(text)
                            + " must be <namespace>/<name>, such as store/s3.example.com."));
            return this;
        }

        /** The driver's socket, such as {@code unix:///run/cosi/cosi.sock}. */
        public Builder driver(String endpoint) {
            SocketPath socket = SocketPath.parse(endpoint);
            driver = _ -> SocketChannels.open(socket);
            return this;
        }

        /** A driver in this process, instead of one at a socket. The caller closes it after the process. */
        public Builder driver(BindableService service) {
            driver = process -> {
                InProcessServer server = InProcessServer.start(service);
                process.onClose(server::close);
                return server.channel();
            };
            return this;
        }

        /** How many objects of each kind are reconciled in parallel; by default 8. */
        public Builder workers(int value) {
            if (value < 1) {
                throw new IllegalArgumentException("The number of workers must be positive, got " + value + ".");
            }
            workers = value;
            return this;
        }

        /** The deadline of one call to the driver; by default 10 seconds. */
        public Builder driverTimeout(Duration value) {
            if (!value.isPositive()) {
                throw new IllegalArgumentException("The timeout of the driver must be positive, got " + value + ".");
            }
            driverTimeout = value;
            return this;
        }

        /** Namespaces besides the provisioner's own that may contain provisioner secrets. */
        public Builder secretNamespaces(Set<String> value) {
            secretNamespaces = Set.copyOf(value);
            return this;
        }

        @Override
        protected void register(ControllerContext context, ControllerProcess process) {
            Provisioner served = provisioner;
            Function<ControllerProcess, ManagedChannel> channels = driver;
            if (served == null || channels == null) {
                throw new IllegalStateException(
                        "A sidecar needs a provisioner and a driver: call provisioner(...)" + " and driver(...).");
            }
            ManagedChannel channel = channels.apply(process);
            CallSettings settings = new CallSettings(served.name(), driverTimeout, context.meters());
            DriverConnection connection = new DriverConnection(
                    channel,
                    List.of(served.toString(), served.name()),
                    List.of(
                            new CosiV1Driver(channel, settings, context.clusterId()),
                            new ReleasedDriver(channel, settings)),
                    context.time());
            SidecarContext sidecar = new SidecarContext(
                    context,
                    served,
                    workers,
                    new SidecarCaches(context.caches(), served),
                    new ProvisionerSecrets(context.caches(), served, secretNamespaces),
                    connection);
            SidecarBucketController.register(sidecar);
            SidecarAccessController.register(sidecar);
            process.server().ready("driver", connection::health);
            process.onStart(connection::start).onClose(connection::close);
        }
    }
}
