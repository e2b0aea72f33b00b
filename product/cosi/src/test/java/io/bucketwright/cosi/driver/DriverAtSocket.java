package io.bucketwright.cosi.driver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.bucketwright.cosi.proto.CosiControllerGrpc;
import io.bucketwright.cosi.proto.CosiControllerGrpc.CosiControllerBlockingStub;
import io.bucketwright.cosi.proto.CreateBucketRequest;
import io.bucketwright.cosi.proto.DataProtocol;
import io.bucketwright.cosi.proto.DeleteBucketRequest;
import io.bucketwright.cosi.proto.GenericContext;
import io.bucketwright.cosi.proto.GrantBucketAccessRequest;
import io.bucketwright.cosi.proto.ProviderContext;
import io.bucketwright.cosi.proto.RevokeBucketAccessRequest;
import io.bucketwright.cosi.proto.v1alpha1.ProvisionerGrpc;
import io.bucketwright.cosi.proto.v1alpha1.ProvisionerGrpc.ProvisionerBlockingStub;
import io.bucketwright.cosi.wire.CosiError;
import io.bucketwright.cosi.wire.ParameterKeys;
import io.bucketwright.cosi.wire.SocketChannels;
import io.bucketwright.cosi.wire.SocketPath;
import io.bucketwright.cosi.wire.SocketServer;
import io.bucketwright.store.AdministratorSecret;
import io.bucketwright.store.Stores;
import io.bucketwright.store.observation.StoreObserver;
import io.grpc.ManagedChannel;
import io.grpc.StatusRuntimeException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.assertj.core.api.AbstractStringAssert;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** A driver over a store that records its requests, at a real socket. */
abstract class DriverAtSocket {

    static final Map<String, String> IDS = Map.of(ParameterKeys.CLUSTER, "cluster-1", ParameterKeys.OWNER_UID, "uid-1");

    final RecordingStore store = new RecordingStore();
    final AtomicReference<AdministratorSecret> own =
            new AtomicReference<>(new AdministratorSecret(RecordingStore.secret("own")));
    volatile Instant now = Instant.parse("2026-11-15T00:00:00Z");
    private final CosiDriver driver;
    private Optional<SocketServer> server = Optional.empty();
    private Optional<ManagedChannel> channel = Optional.empty();

    DriverAtSocket() {
        this(Map.of());
    }

    /** A driver that has these parameters beside the endpoint. */
    DriverAtSocket(Map<String, String> more) {
        Map<String, String> parameters = new HashMap<>(more);
        parameters.put("endpoint", "http://s3.example.com:9000");
        driver = new CosiDriver(
                new DriverSettings("test.example.com", "recording", parameters),
                new Stores(List.of(store)),
                own::get,
                StoreObserver.none(),
                Duration.ofNanos(1),
                () -> now);
    }

    @BeforeEach
    void serve(@TempDir Path folder) {
        SocketPath socket = new SocketPath(folder.resolve("cosi.sock"));
        server = Optional.of(SocketServer.start(socket, driver.services()));
        channel = Optional.of(SocketChannels.open(socket));
    }

    @AfterEach
    void close() {
        channel.ifPresent(ManagedChannel::shutdownNow);
        server.ifPresent(SocketServer::close);
        driver.close();
    }

    static void awaitLatch(CountDownLatch latch) {
        try {
            assertThat(latch.await(1, TimeUnit.MINUTES)).isTrue();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Starts the call and returns when the store works on it; the call ends after the latch. */
    final Thread startCall(CountDownLatch end, Runnable call) {
        CountDownLatch inStore = new CountDownLatch(1);
        store.happens = _ -> {
            inStore.countDown();
            awaitLatch(end);
        };
        Thread caller = Thread.startVirtualThread(call);
        awaitLatch(inStore);
        return caller;
    }

    static AbstractStringAssert<?> assertRefused(CosiError name, ThrowingCallable call) {
        AtomicReference<String> message = new AtomicReference<>("");
        assertThatThrownBy(call).isInstanceOfSatisfying(StatusRuntimeException.class, e -> {
            assertThat(CosiError.named(e)).as(e.getMessage()).contains(name);
            message.set(String.valueOf(e.getStatus().getDescription()));
        });
        return assertThat(message.get());
    }

    CosiControllerBlockingStub stub() {
        return CosiControllerGrpc.newBlockingStub(channel.orElseThrow());
    }

    ProvisionerBlockingStub released() {
        return ProvisionerGrpc.newBlockingStub(channel.orElseThrow());
    }

    static CreateBucketRequest.Builder create() {
        return CreateBucketRequest.newBuilder()
                .setBucketName("photos")
                .setRequestProtocol(DataProtocol.S3)
                .putAllDriverParameters(IDS);
    }

    static DeleteBucketRequest.Builder delete() {
        return DeleteBucketRequest.newBuilder()
                .setBucketName("photos")
                .setRequestProtocol(DataProtocol.S3)
                .putAllDriverParameters(IDS);
    }

    static GrantBucketAccessRequest.Builder grant() {
        return GrantBucketAccessRequest.newBuilder()
                .setBucketName("photos")
                .setRequestProtocol(DataProtocol.S3)
                .putPermissions(ParameterKeys.ACCOUNT, "ba-1")
                .setProviderContext(context(IDS));
    }

    static RevokeBucketAccessRequest.Builder revoke(Map<String, String> data) {
        return RevokeBucketAccessRequest.newBuilder()
                .setBucketName("photos")
                .setRequestProtocol(DataProtocol.S3)
                .putPermissions(ParameterKeys.ACCOUNT, "ba-1")
                .setProviderContext(context(data));
    }

    static ProviderContext context(Map<String, String> data) {
        return ProviderContext.newBuilder()
                .setGenericContext(GenericContext.newBuilder().putAllBucketData(data))
                .build();
    }
}
