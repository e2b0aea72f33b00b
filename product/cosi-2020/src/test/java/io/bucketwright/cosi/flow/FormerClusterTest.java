package io.bucketwright.cosi.flow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.bucketwright.api.cosi.Bucket;
import io.bucketwright.api.cosi.BucketAccess;
import io.bucketwright.api.cosi.CosiNames;
import io.bucketwright.cosi.driver.CosiDriver;
import io.bucketwright.cosi.driver.DriverCredentials;
import io.bucketwright.cosi.driver.DriverSettings;
import io.bucketwright.cosi.proto.CosiControllerGrpc;
import io.bucketwright.cosi.proto.CosiControllerGrpc.CosiControllerBlockingStub;
import io.bucketwright.cosi.sidecar.CosiOrders;
import io.bucketwright.cosi.sidecar.DriverRequests;
import io.bucketwright.cosi.sidecar.driver.BackendBucket;
import io.bucketwright.cosi.sidecar.driver.SidecarSamples;
import io.bucketwright.cosi.wire.CosiError;
import io.bucketwright.cosi.wire.SocketChannels;
import io.bucketwright.cosi.wire.SocketPath;
import io.bucketwright.cosi.wire.SocketServer;
import io.bucketwright.store.Stores;
import io.grpc.ManagedChannel;
import io.grpc.StatusRuntimeException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The sidecars of two clusters and one store: a bucket is transferred from A to B, and back to A. */
class FormerClusterTest {

    private final DriverRequests inA = new DriverRequests(() -> "cluster-a");
    private final DriverRequests inB = new DriverRequests(() -> "cluster-b");
    private final BucketAccess access = SidecarSamples.access(_ -> {});

    @Test
    void theClusterThatABucketWasTransferredAwayFromAgainDoesNotDeleteIt(@TempDir Path folder) {
        SocketPath socket = new SocketPath(folder.resolve("cosi.sock"));
        ManagedChannel channel = SocketChannels.open(socket);
        try (CosiDriver driver = new CosiDriver(
                        new DriverSettings("none.test", "none", Map.of()),
                        Stores.installed(),
                        DriverCredentials.none());
                SocketServer _ = SocketServer.start(socket, List.of(driver))) {
            CosiControllerBlockingStub stub = CosiControllerGrpc.newBlockingStub(channel);
            assertThat(stub.createBucket(inA.create(CosiOrders.create(bucket(Map.of()), false, Map.of())))
                            .hasBucket())
                    .isTrue();
            Bucket requested = bucket(Map.of(CosiNames.TRANSFER_FROM, "cluster-a"));
            assertThat(stub.createBucket(inB.create(CosiOrders.create(requested, false, Map.of())))
                            .hasBucket())
                    .isTrue();
            Bucket back = bucket(Map.of(CosiNames.TRANSFER_FROM, "cluster-b"));
            assertThat(stub.createBucket(inA.create(CosiOrders.create(back, false, Map.of())))
                            .hasBucket())
                    .isTrue();

            Bucket transferred = bucket(Map.of(CosiNames.TRANSFERRED_FROM, "cluster-a"));
            assertRefused(
                    CosiError.DELETE_INVALID_ARGUMENT,
                    () -> stub.deleteBucket(inB.delete(CosiOrders.delete(transferred, Map.of()))));
            assertRefused(
                    CosiError.CREATE_ALREADY_EXISTS,
                    () -> stub.createBucket(inB.create(CosiOrders.create(transferred, false, Map.of()))));
            BackendBucket ofB = CosiOrders.bucket(transferred);
            assertRefused(
                    CosiError.REVOKE_INVALID_PRINCIPAL,
                    () -> stub.revokeBucketAccess(
                            inB.revoke(CosiOrders.revoke(access, ofB, access.account(), access.account(), Map.of()))));

            BackendBucket ofA = CosiOrders.bucket(bucket(Map.of(CosiNames.TRANSFERRED_FROM, "cluster-b")));
            assertThat(stub.grantBucketAccess(inA.grant(CosiOrders.grant(access, ofA, access.account(), "", Map.of())))
                            .getCredsList())
                    .as("the bucket exists and belongs to cluster A")
                    .hasSize(1);
        } finally {
            channel.shutdownNow();
        }
    }

    private static void assertRefused(CosiError error, ThrowingCallable call) {
        assertThatThrownBy(call).isInstanceOfSatisfying(StatusRuntimeException.class, e -> {
            assertThat(CosiError.named(e)).as(e.getMessage()).contains(error);
            assertThat(e.getStatus().getDescription()).contains("The bucket photos-1 belongs to another cluster");
        });
    }

    private static Bucket bucket(Map<String, String> annotations) {
        Bucket bucket = SidecarSamples.created();
        bucket.getMetadata().setAnnotations(annotations);
        return bucket;
    }
}
