package io.bucketwright.cosi.sidecar;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.Message;
import io.bucketwright.api.cosi.Bucket;
import io.bucketwright.api.cosi.BucketAccess;
import io.bucketwright.api.cosi.status.BucketPhase;
import io.bucketwright.cosi.fixture.Specs;
import io.bucketwright.cosi.proto.CreateBucketRequest;
import io.bucketwright.cosi.proto.CreateBucketResponse;
import io.bucketwright.cosi.proto.DataProtocol;
import io.bucketwright.cosi.proto.DeleteBucketRequest;
import io.bucketwright.cosi.proto.GenericCredentials;
import io.bucketwright.cosi.proto.GrantBucketAccessRequest;
import io.bucketwright.cosi.proto.GrantBucketAccessResponse;
import io.bucketwright.cosi.proto.ProviderCredentials;
import io.bucketwright.cosi.proto.RevokeBucketAccessRequest;
import io.bucketwright.cosi.wire.CosiError;
import io.bucketwright.cosi.wire.SocketPath;
import io.bucketwright.runtime.engine.ControllerProcess;
import io.bucketwright.testing.OnCluster;
import io.bucketwright.testing.SocketProxy;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A driver that is unavailable, slow or faulty: the object reports the reason, and nothing is lost. */
@OnCluster
class DriverFailureIT extends SidecarTest {

    @Test
    void anUnavailableDriverIsReportedAndTheSidecarContinuesWhenItIsBack() {
        driver.stop();
        bench.sidecar();
        Bucket bucket = bench.bucket("photos");
        bench.awaitReason(bucket, "DriverNotConnected");
        assertThat(bench.require(bucket).phase()).isEqualTo(BucketPhase.CREATING);
        SidecarFixture.await("the event").until(() -> bench.reasons(bucket).contains("FailedCreateBucket"));
        driver.start();
        bench.awaitCreated(bucket);
        bench.awaitReason(bucket, "Created");
        BucketAccess access = bench.grantedAccess(bucket);

        driver.stop();
        bench.delete(access);
        bench.awaitMessage(access, "Retrying: DriverNotConnected: ");
        assertThat(bench.secretOf(access)).isNotNull();
        driver.start();
        bench.awaitRevoked(access);
        assertThat(driver.accounts).isEmpty();
    }

    @Test
    void aSlowCallEndsAtItsDeadlineIsRetriedAndDelaysNoOtherObject() {
        CountDownLatch patience = new CountDownLatch(1);
        driver.on(CreateBucketRequest.class, request -> {
            if (((CreateBucketRequest) request)
                    .getDriverParametersOrDefault("speed", "")
                    .equals("slow")) {
                awaitQuietly(patience);
            }
            return Optional.empty();
        });
        bench.sidecar(user, builder -> builder.driverTimeout(Duration.ofMillis(500)));
        Bucket slow = bench.bucket("slow", spec -> Specs.with(spec, "parameters", Map.of("speed", "slow")));
        bench.awaitReason(slow, "DriverTimeout");
        bench.awaitCreated(bench.bucket("quick"));
        assertThat(bench.require(slow).provisioned()).isFalse();
        patience.countDown();
        bench.awaitCreated(slow);
        bench.awaitReason(slow, "Created");
    }

    static Stream<Message> invalidBuckets() {
        return Stream.of(
                CreateBucketResponse.getDefaultInstance(),
                CreateBucketResponse.newBuilder()
                        .setBucket(
                                io.bucketwright.cosi.proto.Bucket.newBuilder().setName("another"))
                        .build(),
                CreateBucketResponse.newBuilder()
                        .setBucket(io.bucketwright.cosi.proto.Bucket.getDefaultInstance())
                        .build());
    }

    @ParameterizedTest
    @MethodSource("invalidBuckets")
    void anInvalidResponseToCreateIsReportedOnTheBucketAndRetried(Message response) {
        driver.answering(CreateBucketRequest.class, response);
        bench.sidecar();
        Bucket bucket = bench.bucket("photos");
        bench.awaitReason(bucket, "InvalidDriverResponse");
        driver.behaving();
        bench.awaitCreated(bucket);
        assertThat(driver.buckets).hasSize(1);
    }

    static Stream<Message> invalidCredentials() {
        return Stream.of(
                GrantBucketAccessResponse.getDefaultInstance(),
                GrantBucketAccessResponse.newBuilder()
                        .addCreds(ProviderCredentials.getDefaultInstance())
                        .build(),
                GrantBucketAccessResponse.newBuilder()
                        .addCreds(ProviderCredentials.newBuilder()
                                .setGenericCredentials(
                                        GenericCredentials.newBuilder().putCredentials("../../escape", "x")))
                        .build());
    }

    @ParameterizedTest
    @MethodSource("invalidCredentials")
    void anInvalidResponseToGrantIsReportedOnTheAccessAndRetried(Message response) {
        driver.answering(GrantBucketAccessRequest.class, response);
        bench.sidecar();
        BucketAccess access = bench.access("photos", bench.createdBucket());
        bench.awaitMessage(access, "Retrying: InvalidDriverResponse: ");
        assertThat(bench.secretOf(access)).isNull();
        driver.behaving();
        bench.awaitGranted(access);
        SidecarFixture.await("the report to be removed")
                .until(() -> bench.messageOf(access).isEmpty());
        assertThat(driver.accounts).containsValue(bench.keyOf(access));
    }

    @Test
    void aProblemThatRequiresAChangeIsRetriedOnlyAfterAChange() {
        driver.failing(CreateBucketRequest.class, CosiError.CREATE_INVALID_ARGUMENT.exception("No such\nflavour."));
        bench.sidecar();
        Bucket bucket = bench.bucket("photos");
        bench.awaitReason(bucket, "InvalidArgument");
        assertThat(bench.require(bucket).status().message())
                .contains("CREATE_INVALID_ARGUMENT")
                .contains("No such flavour.");
        bench.awaitSettled();
        assertThat(driver.asked(CreateBucketRequest.class)).hasSize(1);
        driver.behaving();
        bench.annotate(bucket, "example.com/try", "again");
        bench.awaitCreated(bucket);
        assertThat(driver.asked(CreateBucketRequest.class)).hasSize(2);
    }

    @Test
    void aRetryableProblemIsRetriedWithOneStatusWrite() {
        AtomicInteger attempts = failing(
                CreateBucketRequest.class,
                4,
                attempt -> CosiError.CREATE_INTERNAL_ERROR.exception("Attempt " + attempt + " failed."));
        bench.sidecar();
        Bucket bucket = bench.bucket("photos");
        bench.awaitCreated(bucket);
        bench.awaitReason(bucket, "Created");
        assertThat(attempts).hasValue(5);
        // One for the problem, one for its end.
        assertThat(cluster.requests(user).of("patch", "buckets/status")).isEqualTo(2);
    }

    @Test
    void aDeletionInProgressIsRepeatedUntilItIsDone() {
        bench.sidecar();
        Bucket bucket = bench.createdBucket();
        AtomicInteger attempts = failing(
                DeleteBucketRequest.class, 2, _ -> CosiError.DELETE_DELETE_INPROGRESS.exception("Not yet empty."));
        bench.deleteBucket(bucket);
        assertThat(attempts).hasValue(3);
        assertThat(bench.reasons(bucket)).doesNotContain("FailedDeleteBucket");
    }

    @Test
    void aFailedRevokeKeepsEverythingAndIsReported() {
        bench.sidecar();
        Bucket bucket = bench.createdBucket();
        BucketAccess access = bench.grantedAccess(bucket);
        driver.failing(RevokeBucketAccessRequest.class, CosiError.REVOKE_INVALID_CREDENTIALS.exception("Who?"));
        bench.delete(access);
        bench.delete(bucket);
        bench.awaitMessage(access, "Retrying: InvalidCredentials: ");
        assertThat(bench.secretOf(access)).isNotNull();
        // The bucket is deleted after the account: the driver could not revoke it any more.
        assertThat(driver.asked(DeleteBucketRequest.class)).isEmpty();
        driver.behaving();
        bench.awaitRevoked(access);
        bench.awaitPhase(bucket, BucketPhase.DELETED);
        assertThat(driver.accounts).isEmpty();
    }

    @Test
    void aBucketThatNoLongerExistsCountsAsDeletedAndRevoked() {
        bench.sidecar();
        Bucket bucket = bench.createdBucket();
        BucketAccess access = bench.grantedAccess(bucket);
        driver.buckets.clear();
        bench.revoke(access);
        bench.deleteBucket(bucket);
    }

    @Test
    void aDriverOfAnotherNameOrProtocolIsNeverCalled() throws Exception {
        driver.called("somebody.else");
        ControllerProcess sidecar = bench.sidecar();
        Bucket bucket = bench.bucket("photos");
        bench.awaitReason(bucket, "DriverIncompatible");
        assertThat(bench.require(bucket).status().message()).contains("somebody.else");
        assertThat(SidecarFixture.http(sidecar, "/readyz")).startsWith("503");
        // Without a restart: the sidecar asks again.
        driver.called("driver.test");
        driver.speaking(DataProtocol.GCS);
        bench.awaitReason(bucket, "InvalidProtocol");
        assertThat(driver.requests).isEmpty();
        driver.speaking(DataProtocol.S3);
        driver.restart();
        bench.awaitCreated(bucket);
        assertThat(SidecarFixture.http(sidecar, "/readyz")).startsWith("200");
    }

    @Test
    void aDriverThatRestartsDuringACallLosesNothing() {
        CountDownLatch inCall = new CountDownLatch(1);
        CountDownLatch release = new CountDownLatch(1);
        driver.on(CreateBucketRequest.class, _ -> {
            inCall.countDown();
            awaitQuietly(release);
            throw Status.UNAVAILABLE.withDescription("going down").asRuntimeException();
        });
        bench.sidecar();
        Bucket bucket = bench.bucket("photos");
        awaitQuietly(inCall);
        driver.behaving();
        release.countDown();
        driver.restart();
        bench.awaitCreated(bucket);
        assertThat(driver.buckets).hasSize(1);
    }

    /** Of ten calls some answer UNAVAILABLE before or after their effect, one is late, and connections are cut. */
    @Test
    void callsThatFailNowAndThenMakeNothingTwiceAndTheDriverIsNotFlooded() throws IOException {
        int objects = 6;
        Path socket = Files.createTempDirectory("cosi-proxy").resolve("cosi.sock");
        try (SocketProxy proxy =
                new SocketProxy(socket, SocketPath.parse(driver.endpoint()).path())) {
            AtomicInteger calls = new AtomicInteger();
            AtomicInteger faults = new AtomicInteger();
            driver.beforeEffect(() -> {
                if (calls.incrementAndGet() % 10 == 3) {
                    faults.incrementAndGet();
                    throw Status.UNAVAILABLE.withDescription("not now").asRuntimeException();
                }
            });
            driver.afterEffect(() -> {
                if (calls.get() % 10 == 6) {
                    faults.incrementAndGet();
                    throw Status.UNAVAILABLE
                            .withDescription("the answer is lost")
                            .asRuntimeException();
                }
                if (calls.get() % 10 == 9) {
                    faults.incrementAndGet();
                    pause(Duration.ofMillis(1200));
                }
            });
            // A connection serves a few calls; then an answer does not arrive.
            proxy.cutResponsesAfter(1500);
            bench.sidecar(user, builder -> builder.driver("unix://" + socket).driverTimeout(Duration.ofSeconds(1)));
            List<BucketAccess> accesses = IntStream.range(0, objects)
                    .mapToObj(i -> bench.access("photos-" + i, bench.bucket("photos-" + i)))
                    .toList();
            accesses.forEach(bench::awaitGranted);
            assertThat(driver.buckets).hasSize(objects);
            assertThat(driver.accounts.values())
                    .as("the published keys and no others")
                    .containsExactlyInAnyOrderElementsOf(
                            accesses.stream().map(bench::keyOf).toList());
            accesses.forEach(bench::delete);
            accesses.forEach(bench::awaitRevoked);
            assertThat(driver.accounts).isEmpty();
            accesses.forEach(access -> bench.delete(cluster.admin()
                    .resources(Bucket.class)
                    .withName(access.getSpec().bucketName())
                    .require()));
            SidecarFixture.await("the deletion of all buckets").until(() -> driver.buckets.isEmpty());
            assertThat(faults.get()).isGreaterThanOrEqualTo(3);
            assertThat(proxy.cut()).isPositive();
            // Four calls for each pair of objects; what is interrupted is repeated.
            assertThat(driver.requests).hasSizeLessThan(3 * 4 * objects);
        } finally {
            Files.deleteIfExists(socket);
            Files.delete(socket.getParent());
        }
    }

    private static void pause(Duration time) {
        try {
            Thread.sleep(time);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Fails the first calls, and counts all. */
    private AtomicInteger failing(
            Class<? extends Message> request, int failures, IntFunction<StatusRuntimeException> error) {
        AtomicInteger attempts = new AtomicInteger();
        driver.on(request, _ -> {
            int attempt = attempts.incrementAndGet();
            if (attempt <= failures) {
                throw error.apply(attempt);
            }
            return Optional.empty();
        });
        return attempts;
    }

    private static void awaitQuietly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
