package io.bucketwright.cosi.sidecar.dialect;

import static org.assertj.core.api.Assertions.assertThat;

import io.bucketwright.cosi.driver.CosiDriver;
import io.bucketwright.cosi.driver.DriverCredentials;
import io.bucketwright.cosi.driver.DriverSettings;
import io.bucketwright.cosi.proto.v1alpha1.DriverGetInfoRequest;
import io.bucketwright.cosi.proto.v1alpha1.DriverGetInfoResponse;
import io.bucketwright.cosi.proto.v1alpha1.IdentityGrpc.IdentityImplBase;
import io.bucketwright.cosi.wire.InProcessServer;
import io.bucketwright.store.Stores;
import io.grpc.BindableService;
import io.grpc.ManagedChannel;
import io.grpc.stub.StreamObserver;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Whether the name of an account is enough to revoke it, as the sidecar reads it from the driver. */
class AccountIdsTest {

    @Test
    void ourDriverSaysThatTheNamesOfAccountsAreTheirIds() {
        try (CosiDriver driver = new CosiDriver(
                new DriverSettings("none.test", "none", Map.of()), Stores.installed(), DriverCredentials.none())) {
            assertThat(issuesIds(driver.services())).isFalse();
        }
    }

    @Test
    void aDriverThatDoesNotSayItIssuesIds() {
        IdentityImplBase vendor = new IdentityImplBase() {
            @Override
            public void driverGetInfo(DriverGetInfoRequest request, StreamObserver<DriverGetInfoResponse> answer) {
                answer.onNext(DriverGetInfoResponse.getDefaultInstance());
                answer.onCompleted();
            }
        };
        assertThat(issuesIds(List.of(vendor))).isTrue();
    }

    private static boolean issuesIds(List<BindableService> services) {
        try (InProcessServer server = InProcessServer.start(services)) {
            ManagedChannel channel = server.channel();
            try {
                ReleasedDriver driver = new ReleasedDriver(
                        channel, new CallSettings("none.test", Duration.ofSeconds(10), new SimpleMeterRegistry()));
                assertThat(driver.issuesIds()).as("before it was asked").isTrue();
                assertThat(driver.info().protocols()).isNotEmpty();
                return driver.issuesIds();
            } finally {
                channel.shutdownNow();
            }
        }
    }
}
