package io.bucketwright.cosi.sidecar;

import static org.assertj.core.api.Assertions.assertThat;

import io.bucketwright.cosi.fixture.StubDriver;
import io.bucketwright.cosi.fixture.V1alpha2StubDriver;
import io.bucketwright.cosi.sidecar.dialect.CallSettings;
import io.bucketwright.cosi.sidecar.dialect.ReleasedDriver;
import io.bucketwright.cosi.sidecar.driver.DriverConnection;
import io.bucketwright.cosi.sidecar.driver.DriverState;
import io.bucketwright.cosi.wire.SocketChannels;
import io.bucketwright.cosi.wire.SocketPath;
import io.bucketwright.runtime.ManualTime;
import io.bucketwright.testing.Eventually;
import io.grpc.ManagedChannel;
import io.grpc.ServerServiceDefinition;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Drivers that speak none of the dialects. */
class UnreleasedDriverTest {

    private static final String NAME = "driver.test";

    @Test
    void aDriverOfV1alpha2IsReportedWithOneSentence() {
        try (V1alpha2StubDriver driver = new V1alpha2StubDriver(NAME)) {
            assertThat(problem(driver))
                    .isEqualTo(
                            "driver driver.test speaks sigs.k8s.io.cosi.v1alpha2, which is not released: run a version"
                                    + " of the driver that speaks cosi.v1alpha1");
        }
    }

    @Test
    void aServerOfAnotherProtocolIsReportedWithTheDialectsThatItWasAskedFor() {
        try (OtherServer server = new OtherServer()) {
            assertThat(problem(server))
                    .isEqualTo("driver driver.test serves none of the gRPC packages cosi.v1, cosi.v1alpha1");
        }
    }

    private static String problem(StubDriver driver) {
        ManagedChannel channel = SocketChannels.open(SocketPath.parse(driver.endpoint()));
        CallSettings settings = new CallSettings(NAME, Duration.ofSeconds(60), new SimpleMeterRegistry());
        try (DriverConnection connection = new DriverConnection(
                channel,
                List.of(NAME),
                List.of(new CosiV1Driver(channel, settings, () -> "cluster-1"), new ReleasedDriver(channel, settings)),
                new ManualTime())) {
            connection.start();
            Eventually.await("the answer").until(() -> connection.state() instanceof DriverState.Incompatible);
            return ((DriverState.Incompatible) connection.state()).message();
        }
    }

    private static final class OtherServer extends StubDriver {
        OtherServer() {
            start(() -> ServerServiceDefinition.builder("example.Other").build());
        }
    }
}
