package io.bucketwright.cosi.driver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.bucketwright.cosi.fixture.S3Store;
import io.bucketwright.cosi.proto.CosiControllerGrpc;
import io.bucketwright.cosi.proto.DriverInfoRequest;
import io.bucketwright.cosi.proto.v1alpha1.AuthenticationType;
import io.bucketwright.cosi.proto.v1alpha1.DriverCreateBucketRequest;
import io.bucketwright.cosi.proto.v1alpha1.DriverCreateBucketResponse;
import io.bucketwright.cosi.proto.v1alpha1.DriverDeleteBucketRequest;
import io.bucketwright.cosi.proto.v1alpha1.DriverDeleteBucketResponse;
import io.bucketwright.cosi.proto.v1alpha1.DriverGetInfoRequest;
import io.bucketwright.cosi.proto.v1alpha1.DriverGrantBucketAccessRequest;
import io.bucketwright.cosi.proto.v1alpha1.DriverGrantBucketAccessResponse;
import io.bucketwright.cosi.proto.v1alpha1.DriverRevokeBucketAccessRequest;
import io.bucketwright.cosi.proto.v1alpha1.DriverRevokeBucketAccessResponse;
import io.bucketwright.cosi.proto.v1alpha1.IdentityGrpc;
import io.bucketwright.cosi.proto.v1alpha1.ProvisionerGrpc;
import io.bucketwright.cosi.proto.v1alpha1.ProvisionerGrpc.ProvisionerBlockingStub;
import io.bucketwright.cosi.proto.v1alpha1.S3SignatureVersion;
import io.bucketwright.cosi.wire.SocketChannels;
import io.bucketwright.cosi.wire.SocketPath;
import io.bucketwright.cosi.wire.SocketServer;
import io.bucketwright.local.AddOn;
import io.bucketwright.store.AdministratorSecret;
import io.bucketwright.store.Stores;
import io.bucketwright.testing.Eventually;
import io.bucketwright.testing.OnCluster;
import io.bucketwright.testing.TestCluster;
import io.grpc.ManagedChannel;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import software.amazon.awssdk.core.sync.RequestBody;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.model.S3Exception;

/** Our driver behind a plain client of {@code cosi.v1alpha1}, on a real store. */
@OnCluster(with = AddOn.S3)
class ReleasedDriverIT {

    private final String bucket = "bucket-" + UUID.randomUUID();
    private final String account = "ba-" + UUID.randomUUID();

    @TempDir
    private Path folder = Path.of("/");

    private S3Store store;
    private CosiDriver driver;
    private SocketServer server;
    private ManagedChannel channel;
    private ProvisionerBlockingStub client;

    @BeforeEach
    void open(TestCluster cluster) {
        store = new S3Store(cluster.local().s3().orElseThrow());
        driver = new CosiDriver(
                new DriverSettings("s3.example.com", "s3", store.parameters()),
                Stores.installed(),
                () -> new AdministratorSecret(store.secrets()));
        server = SocketServer.start(new SocketPath(folder.resolve("cosi.sock")), driver.services());
        channel = SocketChannels.open(server.socket());
        client = ProvisionerGrpc.newBlockingStub(channel);
    }

    @AfterEach
    void close() {
        channel.shutdownNow();
        server.close();
        driver.close();
    }

    @Test
    void oneSocketServesBothProtocols() {
        assertThat(IdentityGrpc.newBlockingStub(channel)
                        .driverGetInfo(DriverGetInfoRequest.getDefaultInstance())
                        .getName())
                .isEqualTo("s3.example.com");
        assertThat(CosiControllerGrpc.newBlockingStub(channel)
                        .driverInfo(DriverInfoRequest.getDefaultInstance())
                        .getDriverName())
                .isEqualTo("s3.example.com");
    }

    @Test
    void aBucketIsCreatedGrantedUsedRevokedAndDeleted() {
        DriverCreateBucketResponse created = client.driverCreateBucket(create());
        assertThat(created.getBucketId()).isEqualTo(bucket);
        assertThat(created.getBucketInfo().getS3().getSignatureVersion()).isEqualTo(S3SignatureVersion.S3V4);
        assertThat(client.driverCreateBucket(create())).as("repeated").isEqualTo(created);

        DriverGrantBucketAccessResponse granted = client.driverGrantBucketAccess(grant().build());
        assertThat(granted.getAccountId()).isEqualTo(account);
        assertThat(granted.getCredentialsMap()).containsOnlyKeys("s3");
        Map<String, String> keys = granted.getCredentialsOrThrow("s3").getSecretsMap();
        assertThat(keys).containsOnlyKeys("accessKeyID", "accessSecretKey", "endpoint", "region", "bucketName");
        try (S3Client application = application(keys)) {
            application.putObject(request -> request.bucket(bucket).key("hello"), RequestBody.fromString("world"));
            assertThat(application
                            .getObjectAsBytes(request -> request.bucket(bucket).key("hello"))
                            .asUtf8String())
                    .isEqualTo("world");
            // As the reference implementation sends it: without context.
            client.driverRevokeBucketAccess(revoke());
            assertThatThrownBy(() -> application.getObjectAsBytes(
                            request -> request.bucket(bucket).key("hello")))
                    .isInstanceOf(S3Exception.class);
        }
        assertThat(client.driverRevokeBucketAccess(revoke()))
                .as("an account that does not exist counts as revoked")
                .isEqualTo(DriverRevokeBucketAccessResponse.getDefaultInstance());

        assertThatThrownBy(() -> client.driverDeleteBucket(
                        delete().toBuilder().clearDeleteContext().build()))
                .as("neither the class nor the driver says that objects are deleted")
                .isInstanceOfSatisfying(
                        StatusRuntimeException.class,
                        e -> assertThat(e.getStatus().getCode()).isEqualTo(Status.Code.FAILED_PRECONDITION))
                .hasMessageContaining("not empty")
                .hasMessageContaining("onNotEmpty");
        deleted();
        try (S3Client administrator = store.s3()) {
            assertThat(administrator.listBuckets().buckets())
                    .noneMatch(found -> found.name().equals(bucket));
        }
        assertThat(deleted())
                .as("a bucket that does not exist counts as deleted")
                .isEqualTo(DriverDeleteBucketResponse.getDefaultInstance());
        assertThat(client.driverRevokeBucketAccess(revoke()))
                .as("also if the bucket does not exist")
                .isEqualTo(DriverRevokeBucketAccessResponse.getDefaultInstance());
    }

    /** The sidecar of Kubernetes SIG Storage repeats a grant and keeps the Secret of the first answer. */
    @Test
    void aRepeatedGrantLeavesTheKeysOfTheFirstAnswerValid() {
        client.driverCreateBucket(create());
        DriverGrantBucketAccessResponse first = client.driverGrantBucketAccess(grant().build());
        assertThat(client.driverGrantBucketAccess(grant().build())).isEqualTo(first);
        try (S3Client application =
                application(first.getCredentialsOrThrow("s3").getSecretsMap())) {
            application.putObject(request -> request.bucket(bucket).key("hello"), RequestBody.fromString("world"));
        }
        client.driverRevokeBucketAccess(revoke());
        DriverGrantBucketAccessResponse later = client.driverGrantBucketAccess(grant().build());
        assertThat(later).as("after a revocation").isNotEqualTo(first);
        client.driverRevokeBucketAccess(revoke());
        deleted();
    }

    @Test
    void parametersOfTheAccessClassLimitTheAccess() {
        client.driverCreateBucket(create());
        DriverGrantBucketAccessResponse granted = client.driverGrantBucketAccess(
                grant().putParameters("accessMode", "ro").build());
        try (S3Client application =
                application(granted.getCredentialsOrThrow("s3").getSecretsMap())) {
            assertThatThrownBy(() -> application.putObject(
                            request -> request.bucket(bucket).key("hello"), RequestBody.fromString("world")))
                    .isInstanceOfSatisfying(
                            S3Exception.class, e -> assertThat(e.statusCode()).isEqualTo(403));
        }
        client.driverRevokeBucketAccess(revoke());
        deleted();
    }

    @Test
    void whatTheDriverCannotDoIsRefused() {
        assertRefused(() -> client.driverCreateBucket(
                create().toBuilder().putParameters("colour", "blue").build()));
        assertRefused(() -> client.driverCreateBucket(
                create().toBuilder().putParameters("onNotEmpty", "perhaps").build()));
        assertRefused(() -> client.driverCreateBucket(
                create().toBuilder().putParameters("cosi.io/cluster", "forged").build()));
        assertRefused(() -> client.driverGrantBucketAccess(
                grant().setAuthenticationType(AuthenticationType.IAM).build()));
    }

    /** Its name has no uid, so nobody but its owner can have created it. */
    @Test
    void aBucketOfAnotherOwnerIsNeitherTakenNorDeleted() {
        String somebodys = "somebodys-" + bucket.substring(7, 15);
        try (S3Client administrator = store.s3()) {
            administrator.createBucket(request -> request.bucket(somebodys));
            assertThatThrownBy(() -> client.driverCreateBucket(
                            create().toBuilder().setName(somebodys).build()))
                    .isInstanceOfSatisfying(
                            StatusRuntimeException.class,
                            e -> assertThat(e.getStatus().getCode()).isEqualTo(Status.Code.FAILED_PRECONDITION));
            assertThatThrownBy(() -> client.driverDeleteBucket(
                            delete().toBuilder().setBucketId(somebodys).build()))
                    .isInstanceOfSatisfying(
                            StatusRuntimeException.class,
                            e -> assertThat(e.getStatus().getCode()).isEqualTo(Status.Code.FAILED_PRECONDITION));
            administrator.deleteBucket(request -> request.bucket(somebodys));
        }
    }

    /** The response of the last call: the caller repeats one that did not empty the bucket in time. */
    private DriverDeleteBucketResponse deleted() {
        return Eventually.await("the deletion of the bucket")
                .until(this::deletedByOneCall, Optional::isPresent)
                .orElseThrow();
    }

    private Optional<DriverDeleteBucketResponse> deletedByOneCall() {
        try {
            return Optional.of(client.driverDeleteBucket(delete()));
        } catch (StatusRuntimeException e) {
            assertThat(e.getStatus().getCode()).isEqualTo(Status.Code.ABORTED);
            return Optional.empty();
        }
    }

    private static void assertRefused(ThrowingCallable call) {
        assertThatThrownBy(call)
                .isInstanceOfSatisfying(
                        StatusRuntimeException.class,
                        e -> assertThat(e.getStatus().getCode()).isEqualTo(Status.Code.INVALID_ARGUMENT));
    }

    private static S3Client application(Map<String, String> keys) {
        return S3Store.application(Map.of(
                "BUCKET_ENDPOINT", keys.get("endpoint"),
                "BUCKET_REGION", keys.get("region"),
                "AWS_ACCESS_KEY_ID", keys.get("accessKeyID"),
                "AWS_SECRET_ACCESS_KEY", keys.get("accessSecretKey")));
    }

    private DriverCreateBucketRequest create() {
        return DriverCreateBucketRequest.newBuilder().setName(bucket).build();
    }

    private DriverGrantBucketAccessRequest.Builder grant() {
        return DriverGrantBucketAccessRequest.newBuilder()
                .setBucketId(bucket)
                .setName(account)
                .setAuthenticationType(AuthenticationType.Key);
    }

    private DriverRevokeBucketAccessRequest revoke() {
        return DriverRevokeBucketAccessRequest.newBuilder()
                .setBucketId(bucket)
                .setAccountId(account)
                .build();
    }

    private DriverDeleteBucketRequest delete() {
        return DriverDeleteBucketRequest.newBuilder()
                .setBucketId(bucket)
                .putDeleteContext("onNotEmpty", "purge")
                .build();
    }
}
