package io.bucketwright.cosi.driver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.bucketwright.cosi.fixture.S3Store;
import io.bucketwright.cosi.proto.CosiControllerGrpc;
import io.bucketwright.cosi.proto.CosiControllerGrpc.CosiControllerBlockingStub;
import io.bucketwright.cosi.proto.CreateBucketRequest;
import io.bucketwright.cosi.proto.DeleteBucketRequest;
import io.bucketwright.cosi.proto.DriverInfoRequest;
import io.bucketwright.cosi.proto.GrantBucketAccessRequest;
import io.bucketwright.cosi.wire.CosiError;
import io.bucketwright.cosi.wire.ParameterKeys;
import io.bucketwright.cosi.wire.SocketChannels;
import io.bucketwright.cosi.wire.SocketPath;
import io.bucketwright.cosi.wire.SocketServer;
import io.bucketwright.local.AddOn;
import io.bucketwright.store.AdministratorSecret;
import io.bucketwright.store.Stores;
import io.bucketwright.store.observation.StoreObserver;
import io.bucketwright.testing.Eventually;
import io.bucketwright.testing.OnCluster;
import io.bucketwright.testing.TestCluster;
import io.grpc.ManagedChannel;
import io.grpc.StatusRuntimeException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import software.amazon.awssdk.core.sync.RequestBody;
import software.amazon.awssdk.services.iam.IamClient;
import software.amazon.awssdk.services.iam.model.User;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.model.PutObjectResponse;
import software.amazon.awssdk.services.s3.model.S3Exception;

/** What the sanity suite does not test: the content of the store, and a driver that crashes. */
@OnCluster(with = AddOn.S3)
class CosiDriverIT {

    private static final String BUCKET = "photos-" + UUID.randomUUID();
    private static final Map<String, String> IDS = Map.of(
            ParameterKeys.CLUSTER,
            "it",
            ParameterKeys.OWNER_UID,
            UUID.randomUUID().toString());

    @TempDir
    private Path folder = Path.of("/");

    private S3Store store;

    @BeforeEach
    void open(TestCluster cluster) {
        store = new S3Store(cluster.local().s3().orElseThrow());
    }

    @Test
    void aDriverThatCrashedAfterEachCallContinuesAndLeavesOneKey() {
        String account = "ba-" + UUID.randomUUID();
        // Every call by a driver of its own: nothing is remembered between them.
        asked(driver -> driver.createBucket(create()));
        asked(driver -> driver.createBucket(create()));
        Map<String, String> lost = asked(driver -> granted(driver, account));
        Map<String, String> kept = asked(driver -> granted(driver, account));

        assertThat(keysOf(account)).containsExactly(kept.get("AWS_ACCESS_KEY_ID"));
        assertThat(lost.get("AWS_SECRET_ACCESS_KEY")).isNotEqualTo(kept.get("AWS_SECRET_ACCESS_KEY"));
        try (S3Client application = S3Store.application(kept)) {
            application.putObject(request -> request.bucket(BUCKET).key("hello"), RequestBody.fromString("world"));
        }
        awaitDeleted();
        awaitDeleted();
    }

    @Test
    void concurrentGrantsForOneAccountLeaveOneKeyThatACallerReceived() {
        String account = "ba-" + UUID.randomUUID();
        asked(driver -> driver.createBucket(create()));
        List<String> handedOut = asked(driver -> {
            List<Future<String>> grants;
            try (ExecutorService callers = Executors.newVirtualThreadPerTaskExecutor()) {
                grants = IntStream.range(0, 5)
                        .mapToObj(_ ->
                                callers.submit(() -> granted(driver, account).get("AWS_ACCESS_KEY_ID")))
                        .toList();
            }
            return grants.stream().map(Future::resultNow).toList();
        });

        assertThat(keysOf(account)).hasSize(1).isSubsetOf(handedOut);
        awaitDeleted();
    }

    @Test
    void policyActionsNarrowWhatIsGranted() {
        asked(driver -> driver.createBucket(create()));
        Map<String, String> credentials =
                asked(driver -> driver.grantBucketAccess(grant("ba-" + UUID.randomUUID()).toBuilder()
                                .putPermissions(ParameterKeys.ALLOW, "*")
                                .putPermissions(ParameterKeys.DENY, "s3:DeleteObject")
                                .build())
                        .getCreds(0)
                        .getGenericCredentials()
                        .getCredentialsMap());

        try (S3Client application = S3Store.application(credentials)) {
            application.putObject(request -> request.bucket(BUCKET).key("hello"), RequestBody.fromString("world"));
            assertThatThrownBy(() -> application.deleteObject(
                            request -> request.bucket(BUCKET).key("hello")))
                    .isInstanceOfSatisfying(
                            S3Exception.class, e -> assertThat(e.statusCode()).isEqualTo(403));
        }
        DriverAtSocket.assertRefused(
                CosiError.GRANT_INVALID_ARGUMENT,
                () -> asked(driver -> driver.grantBucketAccess(grant("ba-" + UUID.randomUUID()).toBuilder()
                        .putPermissions(ParameterKeys.DENY, "*")
                        .build())));
        awaitDeleted();
    }

    @Test
    void aBucketFullOfObjectsIsDeletedSliceBySlice() {
        asked(driver -> driver.createBucket(create()));
        // Not in the common pool: it may have one thread, and the Kubernetes clients of all tests need it.
        try (S3Client administrator = store.s3();
                ExecutorService writers = Executors.newFixedThreadPool(4)) {
            List<Future<PutObjectResponse>> puts = IntStream.range(0, 600)
                    .mapToObj(number -> writers.submit(() -> administrator.putObject(
                            request -> request.bucket(BUCKET).key("object-" + number), RequestBody.fromString("x"))))
                    .toList();
            writers.shutdown();
            assertThat(puts).allSatisfy(put -> assertThat(put).succeedsWithin(1, TimeUnit.MINUTES));
        }

        asked(driver -> {
            // One call or many: each reports progress until the bucket is deleted.
            while (!isDeleted(driver)) {
                driver.driverInfo(DriverInfoRequest.getDefaultInstance());
            }
            return true;
        });
        try (S3Client administrator = store.s3()) {
            assertThat(administrator.listBuckets().buckets())
                    .noneMatch(bucket -> bucket.name().equals(BUCKET));
        }
    }

    @Test
    void aBucketOfAnotherOwnerIsNeitherDeletedNorTaken() {
        String somebodys = "somebodys-" + UUID.randomUUID().toString().substring(0, 8);
        try (S3Client administrator = store.s3()) {
            administrator.createBucket(request -> request.bucket(somebodys));

            DriverAtSocket.assertRefused(
                    CosiError.CREATE_ALREADY_EXISTS,
                    () -> asked(driver -> driver.createBucket(
                            create().toBuilder().setBucketName(somebodys).build())));
            DriverAtSocket.assertRefused(
                    CosiError.DELETE_INVALID_ARGUMENT,
                    () -> asked(driver -> driver.deleteBucket(
                            delete().toBuilder().setBucketName(somebodys).build())));
            assertThat(administrator.listBuckets().buckets())
                    .anyMatch(bucket -> bucket.name().equals(somebodys));
            administrator.deleteBucket(request -> request.bucket(somebodys));
        }
    }

    private <R> R asked(Function<CosiControllerBlockingStub, R> question) {
        SocketPath socket = new SocketPath(folder.resolve("cosi.sock"));
        try (CosiDriver driver = new CosiDriver(
                        new DriverSettings("s3.example.com", "s3", store.parameters()),
                        Stores.installed(),
                        () -> new AdministratorSecret(store.secrets()),
                        StoreObserver.none(),
                        Duration.ofNanos(1),
                        InstantSource.system());
                SocketServer _ = SocketServer.start(socket, List.of(driver))) {
            ManagedChannel channel = SocketChannels.open(socket);
            try {
                return question.apply(CosiControllerGrpc.newBlockingStub(channel));
            } finally {
                channel.shutdownNow();
            }
        }
    }

    /** On a busy machine one call may not be enough to empty the bucket: the caller repeats it, each time at a new driver. */
    private void awaitDeleted() {
        Eventually.await("the deletion of the bucket").until(() -> asked(CosiDriverIT::isDeleted));
    }

    private static boolean isDeleted(CosiControllerBlockingStub driver) {
        try {
            driver.deleteBucket(delete());
            return true;
        } catch (StatusRuntimeException e) {
            assertThat(CosiError.named(e)).contains(CosiError.DELETE_DELETE_INPROGRESS);
            return false;
        }
    }

    private static Map<String, String> granted(CosiControllerBlockingStub driver, String account) {
        return driver.grantBucketAccess(grant(account))
                .getCreds(0)
                .getGenericCredentials()
                .getCredentialsMap();
    }

    private static CreateBucketRequest create() {
        return DriverAtSocket.create()
                .setBucketName(BUCKET)
                .putAllDriverParameters(IDS)
                .build();
    }

    private static DeleteBucketRequest delete() {
        return DriverAtSocket.delete()
                .setBucketName(BUCKET)
                .putAllDriverParameters(IDS)
                .build();
    }

    private static GrantBucketAccessRequest grant(String account) {
        return DriverAtSocket.grant()
                .setBucketName(BUCKET)
                .putPermissions(ParameterKeys.ACCOUNT, account)
                .setProviderContext(DriverAtSocket.context(IDS))
                .build();
    }

    private List<String> keysOf(String account) {
        try (IamClient iam = store.iam()) {
            String user = iam.listUsers().users().stream()
                    .map(User::userName)
                    .filter(name -> name.startsWith("bw-" + account))
                    .findFirst()
                    .orElseThrow();
            return iam.listAccessKeys(request -> request.userName(user)).accessKeyMetadata().stream()
                    .map(key -> key.accessKeyId())
                    .toList();
        }
    }
}
