package io.bucketwright.cosi.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.bucketwright.cosi.proto.CosiControllerGrpc;
import io.bucketwright.cosi.proto.CreateBucketRequest;
import io.bucketwright.cosi.proto.DriverInfoRequest;
import io.grpc.ConnectivityState;
import io.grpc.ManagedChannel;
import io.grpc.StatusRuntimeException;
import java.util.List;
import org.junit.jupiter.api.Test;

class InProcessServerTest {

    @Test
    void aDriverInTheSameProcessIsCalledAsOneAtASocket() {
        try (InProcessServer server = InProcessServer.start(List.of(new EchoService()))) {
            ManagedChannel channel = server.channel();
            CosiControllerGrpc.CosiControllerBlockingStub driver = CosiControllerGrpc.newBlockingStub(channel);
            assertThat(driver.driverInfo(DriverInfoRequest.getDefaultInstance()).getDriverName())
                    .isEqualTo("echo");
            assertThat(channel.getState(true)).isEqualTo(ConnectivityState.READY);
            assertThatThrownBy(() -> driver.createBucket(CreateBucketRequest.getDefaultInstance()))
                    .isInstanceOfSatisfying(
                            StatusRuntimeException.class,
                            error -> assertThat(CosiError.named(error)).contains(CosiError.CREATE_INVALID_CREDENTIALS));
            channel.shutdownNow();
        }
    }

    @Test
    void twoServersOfAProcessAreNotConfused() {
        InProcessServer first = InProcessServer.start(List.of(new EchoService()));
        try (InProcessServer second = InProcessServer.start(List.of(new EchoService()))) {
            ManagedChannel channel = second.channel();
            first.close();
            assertThat(CosiControllerGrpc.newBlockingStub(channel)
                            .driverInfo(DriverInfoRequest.getDefaultInstance())
                            .getDriverName())
                    .isEqualTo("echo");
            channel.shutdownNow();
        }
    }
}
