package io.bucketwright.cosi.sidecar.released;

import io.bucketwright.cosi.proto.v1alpha1.DriverGetInfoRequest;
import io.bucketwright.cosi.proto.v1alpha1.IdentityGrpc;
import io.bucketwright.cosi.sidecar.dialect.CallSettings;
import io.bucketwright.cosi.sidecar.dialect.DriverNameRequest;
import io.bucketwright.cosi.sidecar.dialect.ReleasedDriver;
import io.bucketwright.cosi.sidecar.dialect.V1alpha2Driver;
import io.bucketwright.cosi.sidecar.driver.DriverConnection;
import io.bucketwright.cosi.sidecar.driver.DriverDialects;
import io.bucketwright.cosi.sidecar.driver.SidecarBuilder;
import io.bucketwright.runtime.engine.ControllerContext;
import io.bucketwright.runtime.engine.ControllerProcess;
import io.grpc.ManagedChannel;
import io.grpc.StatusRuntimeException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

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

    private static final String ADVICE =
            "which is not released and not for objects of objectstorage.k8s.io/v1alpha1: run a"
                    + " version of the driver that speaks cosi.v1alpha1";

    private ReleasedSidecar() {}

    public static Builder builder() {
        return new Builder();
    }

    /**
     * Asks the driver for its name, which classes and Buckets contain, until it answers.
     *
     * @throws IllegalStateException if it does not answer in time, or has no name
     */
    public static String requestDriverName(String endpoint, Duration atMost) {
        return DriverNameRequest.send(
                endpoint,
                atMost,
                channel -> IdentityGrpc.newBlockingStub(channel)
                        .withWaitForReady()
                        .withDeadlineAfter(atMost.toNanos(), TimeUnit.NANOSECONDS)
                        .driverGetInfo(DriverGetInfoRequest.getDefaultInstance())
                        .getName(),
                channel -> speaksV1alpha2(channel, atMost)
                        ? Optional.of(" speaks " + V1alpha2Driver.PACKAGE + ", " + ADVICE + ".")
                        : Optional.empty());
    }

    private static boolean speaksV1alpha2(ManagedChannel channel, Duration atMost) {
        try {
            return !V1alpha2Driver.name(channel, atMost).isEmpty();
        } catch (StatusRuntimeException _) {
            return false;
        }
    }

    /** Options of a sidecar. The driver and its name are required. */
    public static final class Builder extends SidecarBuilder<Builder> {

        private String driverName = "";

        private Builder() {}

        /** The name of the driver as classes name it, ignoring case. */
        public Builder driverName(String value) {
            if (value.isBlank()) {
                throw new IllegalArgumentException("The name of the driver must not be empty.");
            }
            driverName = value;
            return this;
        }

        @Override
        protected void register(ControllerContext context, ControllerProcess process) {
            if (driverName.isEmpty()) {
                throw new IllegalStateException("A sidecar needs the name of its driver: call driverName(...).");
            }
            CallSettings settings = new CallSettings(driverName, driverTimeout(), context.meters());
            ManagedChannel channel = openChannel(process);
            DriverConnection connection = connect(
                    context,
                    process,
                    channel,
                    List.of(driverName),
                    new DriverDialects(
                            List.of(new ReleasedDriver(channel, settings)),
                            List.of(new DriverDialects.Disabled(new V1alpha2Driver(channel, settings), ADVICE))));
            ReleasedContext released = new ReleasedContext(
                    context,
                    driverName,
                    workers(),
                    new ReleasedSidecarCaches(context.caches(), driverName),
                    connection);
            ReleasedBucketController.register(released);
            ReleasedAccessController.register(released);
        }
    }
}
