package io.bucketwright.cosi.driver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.bucketwright.cosi.proto.CosiControllerGrpc;
import io.bucketwright.cosi.proto.CosiControllerGrpc.CosiControllerBlockingStub;
import io.bucketwright.cosi.proto.v1alpha1.AuthenticationType;
import io.bucketwright.cosi.proto.v1alpha1.DriverCreateBucketRequest;
import io.bucketwright.cosi.proto.v1alpha1.DriverDeleteBucketRequest;
import io.bucketwright.cosi.proto.v1alpha1.DriverGrantBucketAccessRequest;
import io.bucketwright.cosi.proto.v1alpha1.DriverRevokeBucketAccessRequest;
import io.bucketwright.cosi.proto.v1alpha1.ProvisionerGrpc;
import io.bucketwright.cosi.proto.v1alpha1.ProvisionerGrpc.ProvisionerBlockingStub;
import io.bucketwright.cosi.wire.InProcessServer;
import io.bucketwright.store.AdministratorSecret;
import io.bucketwright.store.Stores;
import io.bucketwright.store.connection.SecretValue;
import io.grpc.ManagedChannel;
import io.grpc.Status.Code;
import io.grpc.StatusRuntimeException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Map;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;

/** A driver as one or more clusters call it: all of them have the same store. */
final class ServedClusters implements AutoCloseable {

    static final String BUCKET = "bucket-3f6f9a52-1c7e-4d58-9a54-0b8f7e1d2c3a";

    private final Deque<Runnable> open = new ArrayDeque<>();
    private final CosiDriver driver;

    ServedClusters(String store, Map<String, String> parameters, Map<String, SecretValue> secrets) {
        this.driver = new CosiDriver(
                new DriverSettings("test.example.com", store, parameters),
                Stores.installed(),
                () -> new AdministratorSecret(secrets));
        open.push(driver::close);
    }

    ManagedChannel channel(String cluster) {
        InProcessServer server = InProcessServer.start(driver.services(() -> cluster));
        open.push(server::close);
        ManagedChannel channel = server.channel();
        open.push(channel::shutdownNow);
        return channel;
    }

    ProvisionerBlockingStub of(String cluster) {
        return ProvisionerGrpc.newBlockingStub(channel(cluster));
    }

    CosiControllerBlockingStub design() {
        return CosiControllerGrpc.newBlockingStub(channel("unused"));
    }

    static DriverCreateBucketRequest newBucket(Map<String, String> parameters) {
        return DriverCreateBucketRequest.newBuilder()
                .setName(BUCKET)
                .putAllParameters(parameters)
                .build();
    }

    static DriverGrantBucketAccessRequest grant(Map<String, String> parameters) {
        return DriverGrantBucketAccessRequest.newBuilder()
                .setBucketId(BUCKET)
                .setName("ba-1")
                .setAuthenticationType(AuthenticationType.Key)
                .putAllParameters(parameters)
                .build();
    }

    static DriverRevokeBucketAccessRequest revoke() {
        return DriverRevokeBucketAccessRequest.newBuilder()
                .setBucketId(BUCKET)
                .setAccountId("ba-1")
                .build();
    }

    static DriverDeleteBucketRequest delete(Map<String, String> parameters) {
        return DriverDeleteBucketRequest.newBuilder()
                .setBucketId(BUCKET)
                .putAllDeleteContext(parameters)
                .build();
    }

    static void assertRefused(Code code, String sentence, ThrowingCallable call) {
        assertThatThrownBy(call).isInstanceOfSatisfying(StatusRuntimeException.class, e -> {
            assertThat(e.getStatus().getDescription()).contains(sentence);
            assertThat(e.getStatus().getCode()).isEqualTo(code);
        });
    }

    @Override
    public void close() {
        open.forEach(Runnable::run);
    }
}
