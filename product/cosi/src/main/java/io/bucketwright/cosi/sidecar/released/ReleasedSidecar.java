package io.bucketwright.cosi.sidecar.released;

import io.bucketwright.cosi.core.AccessObservation.Settings;
import io.bucketwright.cosi.proto.v1alpha1.DriverGetInfoRequest;
import io.bucketwright.cosi.proto.v1alpha1.IdentityGrpc;
import io.bucketwright.cosi.sidecar.dialect.CallSettings;
import io.bucketwright.cosi.sidecar.dialect.ReleasedDriver;
import io.bucketwright.cosi.sidecar.driver.DriverConnection;
import io.bucketwright.cosi.sidecar.driver.DriverPreconditions;
import io.bucketwright.cosi.sidecar.driver.SidecarBuilder;
import io.bucketwright.cosi.wire.SocketChannels;
import io.bucketwright.cosi.wire.SocketPath;
import io.bucketwright.cosi.wire.UnreleasedProtocol;
import io.bucketwright.runtime.engine.ControllerContext;
import io.bucketwright.runtime.engine.ControllerProcess;
import io.grpc.ManagedChannel;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import java.time.Duration;
import java.util.List;
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
        ManagedChannel channel = SocketChannels.open(SocketPath.parse(endpoint));
        String driver = "The driver at " + endpoint;
        try {
            String name = IdentityGrpc.newBlockingStub(channel)
                    .withWaitForReady()
                    .withDeadlineAfter(atMost.toNanos(), TimeUnit.NANOSECONDS)
                    .driverGetInfo(DriverGetInfoRequest.getDefaultInstance())
                    .getName();
            if (name.isBlank()) {
                throw new IllegalStateException(driver + " reports no name. Set the name that its classes have.");
            }
            return name;
        } catch (StatusRuntimeException e) {
            throw new IllegalStateException(
                    driver
                            + (e.getStatus().getCode() == Status.Code.UNIMPLEMENTED && speaksV1alpha2(channel)
                                    ? " " + UnreleasedProtocol.PROBLEM + "."
                                    : " did not report its name within " + atMost.toSeconds() + " s: "
                                            + e.getStatus().getCode() + ". Check the driver and its socket."),
                    e);
        } finally {
            channel.shutdownNow();
        }
    }

    private static boolean speaksV1alpha2(ManagedChannel channel) {
        try {
            return UnreleasedProtocol.isSpoken(channel);
        } catch (StatusRuntimeException _) {
            return false;
        }
    }

    /** Options of a sidecar. The driver and its name are required. */
    public static final class Builder extends SidecarBuilder<Builder> {

        private String driverName = "";
        private Duration patience = DriverPreconditions.GRACE;

        private Builder() {}

        /** The name of the driver as classes name it, ignoring case. */
        public Builder driverName(String value) {
            if (value.isBlank()) {
                throw new IllegalArgumentException("The name of the driver must not be empty.");
            }
            driverName = value;
            return this;
        }

        /** For tests: how long an error that may mean that something does not exist must last. */
        Builder patience(Duration value) {
            patience = value;
            return this;
        }

        @Override
        protected void register(ControllerContext context, ControllerProcess process) {
            if (driverName.isEmpty()) {
                throw new IllegalStateException("A sidecar needs the name of its driver: call driverName(...).");
            }
            CallSettings settings = new CallSettings(driverName, driverTimeout(), context.meters());
            DriverConnection connection = connect(
                    context, process, List.of(driverName), channel -> List.of(new ReleasedDriver(channel, settings)));
            ReleasedContext released = new ReleasedContext(
                    context,
                    driverName,
                    workers(),
                    new ReleasedSidecarCaches(context.caches(), driverName),
                    connection,
                    new Settings(patience, namesAreIds()));
            ReleasedBucketController.register(released);
            ReleasedClaimController.register(released);
            ReleasedAccessRecord.register(released);
        }
    }
}
