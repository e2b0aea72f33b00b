package io.bucketwright.cosi.driver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.bucketwright.cosi.proto.AccessMode;
import io.bucketwright.cosi.proto.CosiControllerGrpc;
import io.bucketwright.cosi.proto.CosiControllerGrpc.CosiControllerBlockingStub;
import io.bucketwright.cosi.proto.CreateBucketRequest;
import io.bucketwright.cosi.proto.DataProtocol;
import io.bucketwright.cosi.proto.DeleteBucketRequest;
import io.bucketwright.cosi.proto.DriverInfoRequest;
import io.bucketwright.cosi.proto.GenericContext;
import io.bucketwright.cosi.proto.GrantBucketAccessRequest;
import io.bucketwright.cosi.proto.ProviderContext;
import io.bucketwright.cosi.proto.RevokeBucketAccessRequest;
import io.bucketwright.cosi.wire.CosiError;
import io.bucketwright.cosi.wire.Keys;
import io.bucketwright.cosi.wire.Operation;
import io.bucketwright.cosi.wire.SocketChannels;
import io.bucketwright.cosi.wire.SocketPath;
import io.bucketwright.cosi.wire.SocketServer;
import io.bucketwright.store.Access;
import io.bucketwright.store.AdministratorSecret;
import io.bucketwright.store.BucketOption.AnonymousAccess;
import io.bucketwright.store.BucketOption.Versioning;
import io.bucketwright.store.Call;
import io.bucketwright.store.Capability;
import io.bucketwright.store.DeleteRequest;
import io.bucketwright.store.GrantRequest;
import io.bucketwright.store.OnNotEmpty;
import io.bucketwright.store.Owner;
import io.bucketwright.store.ProvisionRequest;
import io.bucketwright.store.ProvisionRequest.Naming;
import io.bucketwright.store.StoreException;
import io.bucketwright.store.StoreException.Denied;
import io.bucketwright.store.StoreException.Invalid;
import io.bucketwright.store.StoreException.NotEmpty;
import io.bucketwright.store.StoreException.NotFound;
import io.bucketwright.store.StoreException.Taken;
import io.bucketwright.store.StoreException.Unavailable;
import io.bucketwright.store.StoreException.Unsupported;
import io.bucketwright.store.Stores;
import io.grpc.ManagedChannel;
import io.grpc.Status.Code;
import io.grpc.StatusRuntimeException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.assertj.core.api.AbstractStringAssert;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What each RPC asks of the store, and what becomes of the store's answer. Over a real socket. */
class CosiDriverTest {

    private static final Map<String, String> IDS = Map.of(Keys.CLUSTER, "cluster-1", Keys.BUCKET_UID, "uid-1");

    private final RecordingStore store = new RecordingStore();
    private final AtomicReference<AdministratorSecret> own =
            new AtomicReference<>(new AdministratorSecret(RecordingStore.secret("own")));
    private final CosiDriver driver = new CosiDriver(
            new DriverSettings(
                    new DriverName("test.example.com"),
                    "recording",
                    DataProtocol.S3,
                    Map.of("endpoint", "http://s3.example.com:9000")),
            new Stores(List.of(store)),
            own::get,
            Duration.ofNanos(1));

    private Optional<SocketServer> server = Optional.empty();
    private Optional<ManagedChannel> channel = Optional.empty();

    @BeforeEach
    void serve(@TempDir Path folder) {
        SocketPath socket = new SocketPath(folder.resolve("cosi.sock"));
        server = Optional.of(SocketServer.start(socket, List.of(driver)));
        channel = Optional.of(SocketChannels.open(socket));
    }

    @AfterEach
    void close() {
        channel.ifPresent(ManagedChannel::shutdownNow);
        server.ifPresent(SocketServer::close);
        driver.close();
    }

    @Test
    void aBucketIsMadeWithTheMarkOfItsBucketAndWithoutAnyAccess() {
        var response = stub().createBucket(create().build());

        ProvisionRequest asked = store.last(ProvisionRequest.class);
        assertThat(asked.bucket().text()).isEqualTo("photos");
        assertThat(asked.owner()).isEqualTo(new Owner("cluster-1", "uid-1"));
        assertThat(asked.access()).isEqualTo(Access.none());
        assertThat(asked.naming()).isEqualTo(Naming.GIVEN);
        assertThat(response.getBucket().getName()).isEqualTo("photos");
        assertThat(response.getBucket().getProvisioner()).isEqualTo("test.example.com");
        assertThat(response.getBucket().getProviderContext().getGenericContext().getBucketDataMap())
                .containsEntry("BUCKET_ENDPOINT", "http://s3.example.com:9000")
                .containsEntry("BUCKET_REGION", "eu-1")
                .doesNotContainKey("AWS_SECRET_ACCESS_KEY");
    }

    @Test
    void aNameThatEndsWithAnIdWasMadeForThisBucket() {
        stub().createBucket(create().setBucketName("photos-3f6f9a52-1c7e-4d58-9a54-0b8f7e1d2c3a")
                .build());

        assertThat(store.last(ProvisionRequest.class).naming()).isEqualTo(Naming.GENERATED);
    }

    @Test
    void aCallerThatBringsNoIdsOwnsByName() {
        stub().createBucket(create().clearDriverParameters().build());
        Owner first = store.last(ProvisionRequest.class).owner();
        stub().deleteBucket(delete().clearDriverParameters().build());

        assertThat(store.last(DeleteRequest.class).owner()).isEqualTo(first);
        stub().createBucket(
                        create().clearDriverParameters().setBucketName("films").build());
        assertThat(store.last(ProvisionRequest.class).owner()).isNotEqualTo(first);
    }

    @ParameterizedTest
    @ValueSource(strings = {Keys.CLUSTER, Keys.BUCKET_UID})
    void oneIdWithoutTheOtherIsRefused(String missing) {
        assertRefused(
                CosiError.CREATE_INVALID_ARGUMENT,
                () -> stub().createBucket(
                                create().removeDriverParameters(missing).build()));
    }

    @ParameterizedTest
    @CsvSource({"MODE_UNSPECIFIED, PRIVATE", "RO, READ_ONLY", "WO, WRITE_ONLY", "RW, READ_WRITE"})
    void theAccessModeIsAppliedToTheBucket(AccessMode mode, AnonymousAccess applied) {
        stub().createBucket(create().setAccessMode(mode).build());

        assertThat(store.last(ProvisionRequest.class).options().find(AnonymousAccess.class))
                .contains(applied);
    }

    @Test
    void aStoreWithoutAnonymousAccessIsNotAskedToCloseWhatIsClosed() {
        store.capabilities = Set.of();
        stub().createBucket(create().build());

        assertThat(store.last(ProvisionRequest.class).options().isEmpty()).isTrue();
    }

    @Test
    void aModeThatThisVersionDoesNotKnowIsRefused() {
        assertRefused(
                CosiError.CREATE_INVALID_ARGUMENT,
                () -> stub().createBucket(create().setAccessModeValue(7).build()));
    }

    @Test
    void parametersOfTheClassSetOptionsOfTheBucket() {
        stub().createBucket(create().putDriverParameters("versioning", "true").build());

        assertThat(store.last(ProvisionRequest.class).options().find(Versioning.class))
                .contains(new Versioning(true));
    }

    @Test
    void aClassCannotSendTheDriversCredentialsElsewhere() {
        assertRefused(
                CosiError.CREATE_INVALID_ARGUMENT,
                () -> stub().createBucket(create().putDriverParameters("endpoint", "http://evil.example.com")
                        .build()));
        assertThat(store.administrators).isEmpty();
    }

    @Test
    void aParameterThatNobodyKnowsIsRefusedWhenABucketIsMadeAndIgnoredWhenItGoes() {
        assertRefused(
                CosiError.CREATE_INVALID_ARGUMENT,
                () -> stub().createBucket(
                                create().putDriverParameters("zoen", "a").build()));
        stub().deleteBucket(delete().putDriverParameters("zoen", "a").build());
        stub().revokeBucketAccess(revoke(Map.of("zoen", "a")).build());
    }

    @Test
    void deletingPurgesAndNeedsTheMark() {
        stub().deleteBucket(delete().build());

        DeleteRequest asked = store.last(DeleteRequest.class);
        assertThat(asked.owner()).isEqualTo(new Owner("cluster-1", "uid-1"));
        assertThat(asked.onNotEmpty()).isEqualTo(OnNotEmpty.PURGE);
    }

    @Test
    void aDeletionThatTakesLongSaysSoAndGoesOnWhenItIsCalledAgain() {
        store.slices.set(2);

        for (int slice = 0; slice < 2; slice++) {
            assertRefused(CosiError.DELETE_DELETE_INPROGRESS, () -> stub().deleteBucket(delete().build()));
        }
        stub().deleteBucket(delete().build());
        assertThat(store.requests).hasSize(3);
    }

    @Test
    void aDeletionBesideAnotherOfTheSameBucketIsToldThatItIsInProgress() throws Exception {
        CountDownLatch inside = new CountDownLatch(1);
        CountDownLatch over = new CountDownLatch(1);
        store.happens = _ -> {
            inside.countDown();
            awaitLatch(over);
        };
        Thread first = Thread.startVirtualThread(() -> stub().deleteBucket(delete().build()));
        awaitLatch(inside);

        assertRefused(CosiError.DELETE_DELETE_INPROGRESS, () -> stub().deleteBucket(delete().build()));
        over.countDown();
        first.join();
        assertThat(store.requests).hasSize(1);
    }

    @Test
    void grantsForOneBucketTakeTurns() throws Exception {
        CountDownLatch inside = new CountDownLatch(1);
        CountDownLatch over = new CountDownLatch(1);
        store.happens = _ -> {
            inside.countDown();
            awaitLatch(over);
        };
        Thread first = Thread.startVirtualThread(() -> stub().grantBucketAccess(grant().build()));
        awaitLatch(inside);
        Thread second = Thread.startVirtualThread(() -> stub().grantBucketAccess(grant().build()));
        stub().driverInfo(DriverInfoRequest.getDefaultInstance());

        assertThat(store.requests).hasSize(1);
        over.countDown();
        first.join();
        second.join();
        assertThat(store.requests).hasSize(2);
    }

    @ParameterizedTest
    @ValueSource(strings = {"UPPER", "a/b", "x", "two words"})
    void whatCannotBeABucketIsGoneAlready(String name) {
        assertRefused(
                CosiError.DELETE_BUCKET_DOESNOT_EXIST,
                () -> stub().deleteBucket(delete().setBucketName(name).build()));
        assertThat(store.requests).isEmpty();
    }

    @Test
    void eachAccountHasAPrincipalOfItsOwnForEachBucket() {
        stub().grantBucketAccess(grant().build());
        Owner first = store.last(GrantRequest.class).owner();
        stub().grantBucketAccess(grant().setBucketName("films").build());
        Owner second = store.last(GrantRequest.class).owner();
        stub().revokeBucketAccess(revoke(IDS).build());

        assertThat(first.uid()).startsWith("ba-1.");
        assertThat(first.clusterId()).isEqualTo("cluster-1");
        assertThat(second).isNotEqualTo(first);
        assertThat(store.last(Owner.class)).isEqualTo(first);
    }

    @Test
    void whatIsGrantedIsWhatTheAccessClassSays() {
        stub().grantBucketAccess(grant().putPermissions("accessMode", "ro")
                .putPermissions("prefix", "in/")
                .putPermissions(Keys.ALLOW, "s3:Get*, s3:List*")
                .putPermissions(Keys.DENY, "s3:GetObjectTagging")
                .build());

        assertThat(store.last(GrantRequest.class).access())
                .isEqualTo(Access.of(io.bucketwright.store.AccessMode.READ_ONLY)
                        .withPrefix("in/")
                        .withActions(Set.of("s3:Get*", "s3:List*"), Set.of("s3:GetObjectTagging")));
    }

    @Test
    void credentialsHoldTheConnectionAndTheKey() {
        Map<String, String> credentials = stub().grantBucketAccess(grant().build())
                .getCreds(0)
                .getGenericCredentials()
                .getCredentialsMap();

        assertThat(credentials)
                .containsEntry("BUCKET_NAME", "photos")
                .containsEntry("AWS_ACCESS_KEY_ID", "KEY1")
                .containsEntry("AWS_SECRET_ACCESS_KEY", "secret-of-the-key");
    }

    @Test
    void aRepeatedGrantTellsTheStoreThatNoKeyWasKept() {
        stub().grantBucketAccess(grant().build());
        stub().grantBucketAccess(grant().build());

        assertThat(store.last(GrantRequest.class).publishedKeys()).isEmpty();
    }

    @Test
    void aRotationKeepsTheKeyThatTheCallerNames() {
        stub().grantBucketAccess(grant().putPermissions(Keys.ROTATE_AT, "2026-11-15T12:00:00Z")
                .putPermissions(Keys.PUBLISHED_KEYS, "KEY1")
                .build());
        assertThat(store.last(GrantRequest.class).publishedKeys()).containsExactly("KEY1");

        store.capabilities = Set.of(Capability.PREFIX);
        stub().grantBucketAccess(
                        grant().putPermissions(Keys.PUBLISHED_KEYS, "KEY1").build());
        assertThat(store.last(GrantRequest.class).publishedKeys()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "accessMode, everything",
        "accessMode, none",
        "prefix, /../",
        "acessMode, ro",
        "cosi.io/allow, s3:Get Object",
        "cosi.io/rotate-at, tomorrow"
    })
    void permissionsThatMeanNothingAreRefused(String key, String value) {
        assertRefused(
                CosiError.GRANT_INVALID_ARGUMENT,
                () -> stub().grantBucketAccess(
                                grant().putPermissions(key, value).build()));
        assertThat(store.requests).isEmpty();
    }

    @Test
    void aServiceAccountIsNoPrincipalOfAStoreWithKeys() {
        assertRefused(
                        CosiError.GRANT_INVALID_PRINCIPAL,
                        () -> stub().grantBucketAccess(grant().putPermissions(Keys.SERVICE_ACCOUNT, "shop/web")
                                .build()))
                .contains("shop/web", "accessSecretName");
    }

    @Test
    void credentialsOfTheRequestAreUsedInsteadOfTheDriversOwn() {
        stub().createBucket(create().build());
        stub().createBucket(create().putSecrets("key", "theirs").build());
        stub().createBucket(create().putSecrets("key", "others").build());
        stub().createBucket(create().putSecrets("key", "theirs").build());
        stub().createBucket(create().build());

        assertThat(store.administrators)
                .as("each is opened once, though they take turns")
                .containsExactly(
                        new AdministratorSecret(RecordingStore.secret("own")),
                        new AdministratorSecret(RecordingStore.secret("theirs")),
                        new AdministratorSecret(RecordingStore.secret("others")));
    }

    @Test
    void theDriversOwnCredentialsMayChangeWhileItRuns() {
        stub().createBucket(create().build());
        own.set(new AdministratorSecret(RecordingStore.secret("newer")));
        stub().createBucket(create().build());

        assertThat(store.administrators).last().isEqualTo(new AdministratorSecret(RecordingStore.secret("newer")));
        assertThat(store.closed).hasValue(1);
    }

    static Stream<Arguments> refusals() {
        return Stream.of(
                refusal(new Invalid("No."), CosiError.CREATE_INVALID_ARGUMENT, Code.INVALID_ARGUMENT),
                refusal(new Unsupported("No."), CosiError.GRANT_INVALID_ARGUMENT, Code.INVALID_ARGUMENT),
                refusal(new Denied("No."), CosiError.CREATE_INVALID_CREDENTIALS, Code.UNAUTHENTICATED),
                refusal(new Denied("No."), CosiError.DELETE_INVALID_CREDENTIALS, Code.UNAUTHENTICATED),
                refusal(new Denied("No."), CosiError.GRANT_INVALID_CREDENTIALS, Code.UNAUTHENTICATED),
                refusal(new Denied("No."), CosiError.REVOKE_INVALID_CREDENTIALS, Code.UNAUTHENTICATED),
                refusal(new Taken("No."), CosiError.CREATE_ALREADY_EXISTS, Code.ALREADY_EXISTS),
                refusal(new Taken("No."), CosiError.DELETE_BUCKET_DOESNOT_EXIST, Code.NOT_FOUND),
                refusal(new Taken("No."), CosiError.GRANT_INVALID_PRINCIPAL, Code.INVALID_ARGUMENT),
                refusal(new NotFound("No."), CosiError.GRANT_BUCKET_DOESNOT_EXIST, Code.NOT_FOUND),
                refusal(new NotEmpty("No."), CosiError.DELETE_INTERNAL_ERROR, Code.INTERNAL),
                refusal(new Unavailable("No."), CosiError.CREATE_INTERNAL_ERROR, Code.UNAVAILABLE),
                refusal(new Unavailable("No."), CosiError.REVOKE_INTERNAL_ERROR, Code.UNAVAILABLE));
    }

    @ParameterizedTest
    @MethodSource("refusals")
    void whatTheStoreRefusesHasANameInTheProposal(StoreException thrown, CosiError name, Code code) {
        store.happens = _ -> {
            throw thrown;
        };

        assertThatThrownBy(() -> call(name.operation())).isInstanceOfSatisfying(StatusRuntimeException.class, e -> {
            assertThat(CosiError.named(e)).contains(name);
            assertThat(e.getStatus().getCode()).isEqualTo(code);
            assertThat(e.getStatus().getDescription()).isEqualTo("No.");
        });
    }

    @Test
    void whatNobodyThoughtOfStaysInTheDriversLog() {
        store.happens = _ -> {
            throw new IllegalStateException("the password is hunter2");
        };

        assertRefused(CosiError.CREATE_INTERNAL_ERROR, () -> stub().createBucket(create().build()))
                .doesNotContain("hunter2");
    }

    @Test
    void aCallerThatHangsUpEndsTheCallToTheStore() {
        AtomicReference<Optional<Call>> seen = new AtomicReference<>(Optional.empty());
        store.happens = call -> {
            seen.set(Optional.of(call));
            await().until(call::cancelled);
        };

        assertThatThrownBy(() ->
                        stub().withDeadlineAfter(300, TimeUnit.MILLISECONDS).createBucket(create().build()))
                .hasMessageContaining("DEADLINE_EXCEEDED");
        await().untilAsserted(
                        () -> assertThat(seen.get().filter(Call::cancelled)).isPresent());
    }

    private void call(Operation operation) {
        Object _ = switch (operation) {
            case CREATE -> stub().createBucket(create().build());
            case DELETE -> stub().deleteBucket(delete().build());
            case GRANT -> stub().grantBucketAccess(grant().build());
            case REVOKE -> stub().revokeBucketAccess(revoke(IDS).build());
        };
    }

    private static void awaitLatch(CountDownLatch latch) {
        try {
            assertThat(latch.await(30, TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private static Arguments refusal(StoreException thrown, CosiError name, Code code) {
        return Arguments.of(thrown, name, code);
    }

    private static AbstractStringAssert<?> assertRefused(CosiError name, ThrowingCallable call) {
        AtomicReference<String> message = new AtomicReference<>("");
        assertThatThrownBy(call).isInstanceOfSatisfying(StatusRuntimeException.class, e -> {
            assertThat(CosiError.named(e)).as(e.getMessage()).contains(name);
            message.set(String.valueOf(e.getStatus().getDescription()));
        });
        return assertThat(message.get());
    }

    private CosiControllerBlockingStub stub() {
        return CosiControllerGrpc.newBlockingStub(channel.orElseThrow());
    }

    private static CreateBucketRequest.Builder create() {
        return CreateBucketRequest.newBuilder()
                .setBucketName("photos")
                .setRequestProtocol(DataProtocol.S3)
                .putAllDriverParameters(IDS);
    }

    private static DeleteBucketRequest.Builder delete() {
        return DeleteBucketRequest.newBuilder()
                .setBucketName("photos")
                .setRequestProtocol(DataProtocol.S3)
                .putAllDriverParameters(IDS);
    }

    private static GrantBucketAccessRequest.Builder grant() {
        return GrantBucketAccessRequest.newBuilder()
                .setBucketName("photos")
                .setRequestProtocol(DataProtocol.S3)
                .putPermissions(Keys.ACCOUNT, "ba-1")
                .setProviderContext(context(IDS));
    }

    private static RevokeBucketAccessRequest.Builder revoke(Map<String, String> data) {
        return RevokeBucketAccessRequest.newBuilder()
                .setBucketName("photos")
                .setRequestProtocol(DataProtocol.S3)
                .putPermissions(Keys.ACCOUNT, "ba-1")
                .setProviderContext(context(data));
    }

    private static ProviderContext context(Map<String, String> data) {
        return ProviderContext.newBuilder()
                .setGenericContext(GenericContext.newBuilder().putAllBucketData(data))
                .build();
    }
}
