package io.bucketwright.cosi.vendors;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.bucketwright.api.cosi.AnonymousAccessMode;
import io.bucketwright.api.cosi.PolicyActions;
import io.bucketwright.api.cosi.Protocol;
import io.bucketwright.api.cosi.status.ProvisionerReason;
import io.bucketwright.cosi.proto.v1alpha1.DriverCreateBucketRequest;
import io.bucketwright.cosi.proto.v1alpha1.DriverGrantBucketAccessRequest;
import io.bucketwright.cosi.sidecar.dialect.CallSettings;
import io.bucketwright.cosi.sidecar.dialect.ReleasedDriver;
import io.bucketwright.cosi.sidecar.driver.AccountAuthentication;
import io.bucketwright.cosi.sidecar.driver.AccountCredentials;
import io.bucketwright.cosi.sidecar.driver.BackendAccount;
import io.bucketwright.cosi.sidecar.driver.BackendBucket;
import io.bucketwright.cosi.sidecar.driver.CreatedBucket;
import io.bucketwright.cosi.sidecar.driver.DriverAnswer;
import io.bucketwright.cosi.sidecar.driver.DriverOrder;
import io.bucketwright.cosi.sidecar.driver.EmptyAnswer;
import io.bucketwright.cosi.sidecar.driver.GrantedAccess;
import io.bucketwright.cosi.wire.SocketChannels;
import io.bucketwright.runtime.controller.Problem;
import io.grpc.ManagedChannel;
import io.grpc.StatusRuntimeException;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** What the sidecar gets of each vendor's driver: ids, credentials and the meaning of errors. */
class VendorDialectTest {

    private final String bucket = "bucket-" + UUID.randomUUID();
    private final String account = "ba-" + UUID.randomUUID();

    private final Path folder;

    private Vendor vendor;
    private StubVendorDriver stub;
    private ManagedChannel channel;
    private ReleasedDriver driver;

    VendorDialectTest(@TempDir Path folder) {
        this.folder = folder;
        start(Vendor.SAMPLE);
    }

    /** Replaces the sample. */
    private void open(Vendor which) {
        close();
        start(which);
    }

    private void start(Vendor which) {
        vendor = which;
        stub = new StubVendorDriver(which, which.driverName(), folder, VendorCluster.withEverything(which));
        channel = SocketChannels.open(stub.socket());
        driver = new ReleasedDriver(
                channel, new CallSettings(which.driverName(), Duration.ofSeconds(10), new SimpleMeterRegistry()));
    }

    @AfterEach
    void close() {
        channel.shutdownNow();
        stub.close();
    }

    @ParameterizedTest
    @EnumSource
    void aBucketIsCreatedGrantedRevokedAndDeletedByItsIds(Vendor which) {
        open(which);
        assertThat(driver.info().name()).isEqualTo(which.driverName());

        String id = created();
        assertThat(stub.backend().buckets()).containsExactly(id);
        GrantedAccess granted = granted(id);
        switch (granted.credentials()) {
            case AccountCredentials.S3Key key -> {
                assertThat(which.isAzure()).isFalse();
                assertThat(key.accessKeyId()).startsWith("key-");
                assertThat(key.secretKey().reveal()).startsWith("secret-");
            }
            case AccountCredentials.AzureToken token -> {
                assertThat(which.isAzure()).isTrue();
                assertThat(token.expiry()).as("Azure's driver reports none").isEmpty();
            }
            case AccountCredentials.Named _ -> throw new AssertionError("not of this dialect");
        }
        assertThat(stub.backend().liveKeys()).hasSize(which.hasOneKey() ? 0 : 1);

        assertThat(revoke(id, granted.accountId())).isInstanceOf(DriverAnswer.Done.class);
        assertThat(delete(id)).isInstanceOf(DriverAnswer.Done.class);
        assertThat(stub.backend().buckets()).isEmpty();
        assertThat(stub.backend().liveKeys()).isEmpty();
    }

    /** What a sidecar that lost the answer gets when it calls again. An empty answer is no success. */
    @ParameterizedTest
    @EnumSource
    void aSecondCreateEitherReturnsTheIdOrAProblemThatSaysWhy(Vendor which) {
        open(which);
        String id = created();
        DriverAnswer<CreatedBucket> second = create();
        switch (which) {
            case CEPH, SCALITY -> assertProblem(second, ProvisionerReason.ALREADY_EXISTS, true);
            case HETZNER, CLOUDIAN -> assertProblem(second, ProvisionerReason.INTERNAL_ERROR, true);
            case POWERSCALE -> assertProblem(second, ProvisionerReason.INVALID_DRIVER_RESPONSE, true);
            case NOOBAA -> assertProblem(second, ProvisionerReason.INVALID_ARGUMENT, false);
            default -> assertThat(id(second)).isEqualTo(id);
        }
        assertThat(stub.backend().buckets()).containsExactly(id);
    }

    @ParameterizedTest
    @EnumSource
    void aSecondGrantShowsWhyTheAnswerOfTheFirstMustNotBeLost(Vendor which) {
        open(which);
        String id = created();
        GrantedAccess first = granted(id);
        DriverAnswer<GrantedAccess> second = grant(id);
        int live = stub.backend().liveKeys().size();
        switch (which) {
            case CEPH -> {
                assertProblem(second, ProvisionerReason.DRIVER_UNAVAILABLE, true);
                await("restart of the driver")
                        .ignoreExceptionsInstanceOf(StatusRuntimeException.class)
                        .until(() -> driver.info().name().equals(which.driverName()));
            }
            case SCALITY -> assertProblem(second, ProvisionerReason.ALREADY_EXISTS, true);
            case NUTANIX, CLOUDIAN, NOOBAA -> assertProblem(second, ProvisionerReason.INTERNAL_ERROR, true);
            case SEAWEEDFS, LINODE, DELL, AZURE, VERSITYGW, BACKBLAZE, GARAGE, POWERSCALE, VAST -> {
                assertThat(second).isInstanceOf(DriverAnswer.Done.class);
                assertThat(live).as("keys that work").isEqualTo(2);
            }
            case HPE -> {
                assertThat(second).isInstanceOf(DriverAnswer.Done.class);
                assertThat(live).as("keys that work").isEqualTo(1);
                assertThat(second).isNotEqualTo(new DriverAnswer.Done<>(first));
            }
            case SAMPLE, IN_MEMORY_SAMPLE, IBM, QUMULO, RUSTFS, S3GW, HETZNER ->
                assertThat(second).isEqualTo(new DriverAnswer.Done<>(first));
        }
        assertThat(stub.requests(DriverGrantBucketAccessRequest.class)).hasSize(2);
    }

    /** A success, or a problem that is retried, because a store that fails gives the same error. */
    @ParameterizedTest
    @EnumSource
    void whatIsAbsentCountsAsRemovedUnlessTheDriverFails(Vendor which) {
        open(which);
        String id = created();
        GrantedAccess granted = granted(id);
        assertThat(revoke(id, granted.accountId())).isInstanceOf(DriverAnswer.Done.class);
        DriverAnswer<EmptyAnswer> revoked = revoke(id, granted.accountId());
        switch (which) {
            case CEPH, GARAGE, CLOUDIAN -> assertProblem(revoked, ProvisionerReason.INTERNAL_ERROR, true);
            default -> assertThat(revoked).isInstanceOf(DriverAnswer.Done.class);
        }
        assertThat(delete(id)).isInstanceOf(DriverAnswer.Done.class);
        DriverAnswer<EmptyAnswer> deleted = delete(id);
        switch (which) {
            case SAMPLE, CEPH, NUTANIX, HETZNER, CLOUDIAN, IBM ->
                assertProblem(deleted, ProvisionerReason.INTERNAL_ERROR, true);
            default -> assertThat(deleted).isInstanceOf(DriverAnswer.Done.class);
        }
    }

    /** It is not an error that may mean that the bucket does not exist. */
    @ParameterizedTest
    @EnumSource(names = {"SCALITY", "BACKBLAZE"})
    void aBucketThatIsNotEmptyIsAProblemOfItsOwn(Vendor which) {
        open(which);
        String id = created();
        stub.backend().fill(id);
        assertProblem(delete(id), ProvisionerReason.FAILED_PRECONDITION, true);
        assertThat(stub.backend().buckets()).containsExactly(id);
    }

    /** Without its parameters a driver refuses the call, and a removal is retried: nobody edits what is being deleted. */
    @ParameterizedTest
    @EnumSource(names = {"RUSTFS", "QUMULO"})
    void aContextThatIsMissingIsAProblem(Vendor which) {
        open(which);
        String id = created();
        GrantedAccess granted = granted(id);
        assertProblem(
                driver.revoke(
                        new DriverOrder.Revoke(
                                bucket(id), protocol(), account(granted.accountId(), Map.of()), Map.of()),
                        () -> Duration.ofMinutes(1)),
                ProvisionerReason.INVALID_ARGUMENT,
                true);
    }

    @ParameterizedTest
    @CsvSource({
        "VERSITYGW, Upper.Case",
        "VERSITYGW, ab",
        "VAST, bucket-of-which-the-name-is-longer-than-sixty-three-characters-are"
    })
    void aNameThatTheDriverRefusesRequiresAChange(Vendor which, String name) {
        open(which);
        assertProblem(create(name), ProvisionerReason.INVALID_ARGUMENT, false);
        assertThat(stub.requests(DriverCreateBucketRequest.class)).hasSize(1);
    }

    @ParameterizedTest
    @EnumSource(names = {"VERSITYGW", "QUMULO"})
    void aParameterThatTheDriverDoesNotKnowRequiresAChange(Vendor which) {
        open(which);
        BackendBucket odd = new BackendBucket(bucket, bucket, Map.of("colour", "blue"), "", "");
        assertProblem(
                driver.create(
                        new DriverOrder.Create(odd, protocol(), AnonymousAccessMode.PRIVATE, false, Map.of()),
                        () -> Duration.ofMinutes(1)),
                ProvisionerReason.INVALID_ARGUMENT,
                false);
    }

    @ParameterizedTest
    @EnumSource(names = {"CEPH", "SCALITY", "HPE", "IBM"})
    void aDriverThatReadsTheBucketObjectCannotDeleteWithoutIt(Vendor which) {
        open(which);
        stub.close();
        stub = new StubVendorDriver(which, which.driverName(), folder, new EmptyCluster());
        if (which != Vendor.IBM) {
            String id = created();
            GrantedAccess granted = granted(id);
            assertProblem(revoke(id, granted.accountId()), ProvisionerReason.INTERNAL_ERROR, true);
            assertProblem(delete(id), ProvisionerReason.INTERNAL_ERROR, true);
        } else {
            assertProblem(grant(created()), ProvisionerReason.INTERNAL_ERROR, true);
        }
    }

    private String created() {
        return id(create());
    }

    private DriverAnswer<CreatedBucket> create() {
        return create(bucket);
    }

    private DriverAnswer<CreatedBucket> create(String name) {
        return driver.create(
                new DriverOrder.Create(
                        new BackendBucket(name, name, vendor.bucketParameters(), "", ""),
                        protocol(),
                        AnonymousAccessMode.PRIVATE,
                        false,
                        Map.of()),
                () -> Duration.ofMinutes(1));
    }

    private static String id(DriverAnswer<CreatedBucket> answer) {
        if (answer instanceof DriverAnswer.Done<CreatedBucket>(CreatedBucket created)) {
            return created.id().orElseThrow();
        }
        throw new AssertionError(answer);
    }

    private GrantedAccess granted(String id) {
        if (grant(id) instanceof DriverAnswer.Done<GrantedAccess>(GrantedAccess granted)) {
            return granted;
        }
        throw new AssertionError("not granted");
    }

    private DriverAnswer<GrantedAccess> grant(String id) {
        return driver.grant(
                new DriverOrder.Grant(
                        bucket(id), protocol(), account(account, vendor.accessParameters()), "", Map.of()),
                () -> Duration.ofMinutes(1));
    }

    private DriverAnswer<EmptyAnswer> revoke(String id, String accountId) {
        return driver.revoke(
                new DriverOrder.Revoke(bucket(id), protocol(), account(accountId, vendor.accessParameters()), Map.of()),
                () -> Duration.ofMinutes(1));
    }

    private DriverAnswer<EmptyAnswer> delete(String id) {
        return driver.delete(new DriverOrder.Delete(bucket(id), protocol(), Map.of()), () -> Duration.ofMinutes(1));
    }

    private BackendBucket bucket(String id) {
        return new BackendBucket(bucket, id, vendor.bucketParameters(), "", "");
    }

    private BackendAccount account(String id, Map<String, String> parameters) {
        return new BackendAccount(account, id, parameters, PolicyActions.NONE, "", AccountAuthentication.KEY);
    }

    private Optional<Protocol> protocol() {
        return Optional.of(vendor.isAzure() ? Protocol.AZURE_BLOB : Protocol.S3);
    }

    private static void assertProblem(DriverAnswer<?> answer, ProvisionerReason reason, boolean retried) {
        assertThat(answer).isInstanceOfSatisfying(DriverAnswer.Failed.class, failed -> {
            Problem problem = failed.problem();
            assertThat(problem.reason()).as(problem.toString()).isEqualTo(reason.text());
            assertThat(problem.isRetried()).as(problem.toString()).isEqualTo(retried);
        });
    }
}
