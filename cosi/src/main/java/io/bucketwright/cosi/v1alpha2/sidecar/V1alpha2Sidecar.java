package io.bucketwright.cosi.v1alpha2.sidecar;

import io.bucketwright.cosi.sidecar.dialect.CallSettings;
import io.bucketwright.cosi.sidecar.dialect.DriverNameRequest;
import io.bucketwright.cosi.sidecar.dialect.ReleasedDriver;
import io.bucketwright.cosi.sidecar.dialect.V1alpha2Calls;
import io.bucketwright.cosi.sidecar.dialect.V1alpha2Driver;
import io.bucketwright.cosi.sidecar.driver.DriverConnection;
import io.bucketwright.cosi.sidecar.driver.DriverDialects;
import io.bucketwright.cosi.sidecar.driver.SidecarBuilder;
import io.bucketwright.runtime.engine.ControllerContext;
import io.bucketwright.runtime.engine.ControllerProcess;
import io.grpc.ManagedChannel;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * The sidecar of a driver for the kinds of {@code objectstorage.k8s.io/v1alpha2}, which is not released. Experimental. The
 * driver speaks {@code sigs.k8s.io.cosi.v1alpha2}, with the messages of March 2026.
 */
public final class V1alpha2Sidecar {

    private V1alpha2Sidecar() {}

    public static Builder builder() {
        return new Builder();
    }

    /**
     * Asks the driver for its name, which classes and Buckets contain, until it answers.
     *
     * @throws IllegalStateException if it does not answer in time, has no name, or does not speak v1alpha2
     */
    public static String requestDriverName(String endpoint, Duration atMost) {
        return DriverNameRequest.send(
                endpoint,
                atMost,
                channel -> V1alpha2Driver.name(channel, atMost),
                _ -> Optional.of(" does not speak " + V1alpha2Driver.PACKAGE
                        + ". Run a version of it that does, or serve v1alpha1."));
    }

    /** Options of a sidecar. The driver and its name are required. */
    public static final class Builder extends SidecarBuilder<Builder> {

        private String driverName = "";

        private Builder() {}

        /** The name of the driver as classes name it. */
        public Builder driverName(String value) {
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
            DriverConnection connection =
                    connect(context, process, channel, List.of(driverName), dialects(channel, settings));
            V1alpha2Sidecar.register(context, driverName, workers(), connection, new V1alpha2Calls(channel, settings));
        }
    }

    /** The dialects of a driver for these kinds. */
    public static DriverDialects dialects(ManagedChannel channel, CallSettings settings) {
        return new DriverDialects(
                List.of(new V1alpha2Driver(channel, settings)),
                List.of(new DriverDialects.Disabled(
                        new ReleasedDriver(channel, settings),
                        "which is for objects of objectstorage.k8s.io/v1alpha1: run a version of the driver that speaks "
                                + V1alpha2Driver.PACKAGE)));
    }

    /** Registers the controllers of both kinds. */
    public static void register(
            ControllerContext context,
            String driverName,
            int workers,
            DriverConnection connection,
            V1alpha2Calls calls) {
        V1alpha2SidecarContext sidecar = V1alpha2SidecarContext.of(context, driverName, workers, connection, calls);
        V1alpha2BucketController.register(sidecar);
        V1alpha2GrantController.register(sidecar);
    }
}
