package io.bucketwright.cosi.sidecar.released;

import io.bucketwright.cosi.sidecar.dialect.CallSettings;
import io.bucketwright.cosi.sidecar.dialect.ReleasedDriver;
import io.bucketwright.cosi.sidecar.driver.DriverConnection;
import io.bucketwright.cosi.wire.SocketChannels;
import io.bucketwright.cosi.wire.SocketPath;
import io.bucketwright.runtime.engine.ControllerContext;
import io.bucketwright.runtime.engine.ControllerProcess;
import io.bucketwright.runtime.engine.ControllerProcessBuilder;
import io.grpc.ManagedChannel;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The sidecar of a driver for the released kinds, {@code objectstorage.k8s.io/v1alpha1}. It provisions the Buckets and
 * BucketAccesses of one driver, which speaks {@code cosi.v1alpha1} at a socket.
 *
 * {@snippet :
 * try (ControllerProcess sidecar = ReleasedSidecar.builder()
 *         .driverName("s3.example.com")
 *         .driver("unix:///var/lib/cosi/cosi.sock")
 *         .build()) {
 *     sidecar.run();
 * }
 * }
 */
public final class ReleasedSidecar {

    private ReleasedSidecar() {}

    public static Builder builder() {
        return new Builder();
    }

    /** Options of a sidecar. The driver and its name are required. */
    public static final class Builder extends ControllerProcessBuilder<Builder> {

        private String driverName = "";
        private @Nullable SocketPath socket;
        private int workers = 8;
        private Duration driverTimeout = Duration.ofSeconds(10);

        private Builder() {
            super("bucketwright.io/cosi-sidecar");
        }

        /** The name of the driver as classes name it, ignoring case. */
        public Builder driverName(String value) {
            if (value.isBlank()) {
                throw new IllegalArgumentException("The name of the driver must not be empty.");
            }
            driverName = value;
            return this;
        }

        /** The driver's socket, such as {@code unix:///var/lib/cosi/cosi.sock}. */
        public Builder driver(String endpoint) {
            socket = SocketPath.parse(endpoint);
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

        @Override
        protected void register(ControllerContext context, ControllerProcess process) {
            SocketPath endpoint = socket;
            if (driverName.isEmpty() || endpoint == null) {
                throw new IllegalStateException(
                        "A sidecar needs a driver and its name: call driverName(...) and driver(...).");
            }
            ManagedChannel channel = SocketChannels.open(endpoint);
            CallSettings settings = new CallSettings(driverName, driverTimeout, context.meters());
            DriverConnection connection = new DriverConnection(
                    channel, List.of(driverName), List.of(new ReleasedDriver(channel, settings)), context.time());
            ReleasedContext released = new ReleasedContext(
                    context, driverName, workers, new ReleasedSidecarCaches(context.caches(), driverName), connection);
            ReleasedBucketController.register(released);
            ReleasedAccessController.register(released);
            process.server().ready("driver", connection::health);
            process.onStart(connection::start).onClose(connection::close);
        }
    }
}
