package io.bucketwright.cosi.sidecar;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.Message;
import io.bucketwright.api.cosi.Bucket;
import io.bucketwright.api.cosi.BucketAccess;
import io.bucketwright.api.cosi.status.BucketPhase;
import io.bucketwright.cosi.bench.Specs;
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
import io.bucketwright.runtime.engine.ControllerProcess;
import io.bucketwright.testing.ApiUser;
import io.bucketwright.testing.OnCluster;
import io.bucketwright.testing.TestCluster;
import io.grpc.Status;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.ResourceAccessMode;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A driver that is away, slow, wrong or out of its mind: the reason stands on the object, and nothing is lost. */
@OnCluster
@ResourceLock(value = "COSI objects of all namespaces", mode = ResourceAccessMode.READ)
class DriverFailureIT {

    @Test
    void whileTheDriverIsAwayObjectsSaySoAndGoOnByThemselvesWhenItComes(TestCluster cluster) {
        ApiUser user = SidecarBench.deployed(cluster, "sidecar");
        try (SidecarBench bench = new SidecarBench(cluster)) {
            bench.driver().stop();
            bench.sidecar(user);
            Bucket bucket = bench.bucket("photos");
            bench.awaitReason(bucket, "DriverUnavailable");
            assertThat(bench.require(bucket).phase()).isEqualTo(BucketPhase.CREATING);
            assertThat(bench.reasons(bucket)).contains("FailedCreateBucket");
            bench.driver().start();
            bench.awaitFilled(bucket);
            bench.awaitReason(bucket, "Created");
            BucketAccess access = bench.access("photos", bucket);
            bench.awaitGranted(access);

            bench.driver().stop();
            bench.delete(access);
            bench.awaitMessage(access, "Retrying: DriverUnavailable: ");
            assertThat(bench.secretOf(access)).isNotNull();
            bench.driver().start();
            bench.awaitRevoked(access);
            assertThat(bench.driver().accounts).isEmpty();
        }
    }

    @Test
    void aSlowCallEndsAtItsDeadlineIsTriedAgainAndHoldsUpNobodyElse(TestCluster cluster) {
        ApiUser user = SidecarBench.deployed(cluster, "sidecar");
        try (SidecarBench bench = new SidecarBench(cluster)) {
            CountDownLatch patience = new CountDownLatch(1);
            bench.driver().on(CreateBucketRequest.class, request -> {
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
            bench.awaitFilled(bench.bucket("quick"));
            assertThat(bench.require(slow).getSpec().protocol().provisioned()).isFalse();
            patience.countDown();
            bench.awaitFilled(slow);
            bench.awaitReason(slow, "Created");
        }
    }

    static Stream<Message> rubbishBuckets() {
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
    @MethodSource("rubbishBuckets")
    void aDriverThatAnswersCreateWithRubbishIsToldOnTheBucketAndAskedAgain(Message rubbish, TestCluster cluster) {
        ApiUser user = SidecarBench.deployed(cluster, "sidecar");
        try (SidecarBench bench = new SidecarBench(cluster)) {
            bench.driver().answering(CreateBucketRequest.class, rubbish);
            bench.sidecar(user);
            Bucket bucket = bench.bucket("photos");
            bench.awaitReason(bucket, "InvalidDriverResponse");
            bench.driver().behaving();
            bench.awaitFilled(bucket);
            assertThat(bench.driver().buckets).hasSize(1);
        }
    }

    static Stream<Message> rubbishCredentials() {
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
    @MethodSource("rubbishCredentials")
    void aDriverThatAnswersGrantWithRubbishIsToldOnTheAccessAndAskedAgain(Message rubbish, TestCluster cluster) {
        ApiUser user = SidecarBench.deployed(cluster, "sidecar");
        try (SidecarBench bench = new SidecarBench(cluster)) {
            bench.driver().answering(GrantBucketAccessRequest.class, rubbish);
            bench.sidecar(user);
            BucketAccess access = bench.access("photos", bench.awaitFilled(bench.bucket("photos")));
            bench.awaitMessage(access, "Retrying: InvalidDriverResponse: ");
            assertThat(bench.secretOf(access)).isNull();
            bench.driver().behaving();
            bench.awaitGranted(access);
            SidecarBench.await("the message to go")
                    .until(() -> bench.messageOf(access).isEmpty());
            assertThat(bench.driver().accounts).containsValue(bench.keyOf(access));
        }
    }

    @Test
    void whatOnlyAChangeCanCureIsAskedOnceAndAgainAfterAChange(TestCluster cluster) {
        ApiUser user = SidecarBench.deployed(cluster, "sidecar");
        try (SidecarBench bench = new SidecarBench(cluster)) {
            bench.driver()
                    .failing(
                            CreateBucketRequest.class,
                            CosiError.CREATE_INVALID_ARGUMENT.exception("No such\nflavour."));
            bench.sidecar(user);
            Bucket bucket = bench.bucket("photos");
            bench.awaitReason(bucket, "InvalidArgument");
            assertThat(bench.require(bucket).status().message())
                    .contains("CREATE_INVALID_ARGUMENT")
                    .contains("No such flavour.");
            bench.awaitSettled();
            assertThat(bench.driver().asked(CreateBucketRequest.class)).hasSize(1);
            bench.driver().behaving();
            bench.admin().resource(bench.require(bucket)).edit(it -> {
                it.getMetadata().setAnnotations(Map.of("example.com/try", "again"));
                return it;
            });
            bench.awaitFilled(bucket);
            assertThat(bench.driver().asked(CreateBucketRequest.class)).hasSize(2);
        }
    }

    @Test
    void whatMayPassIsTriedAgainAndAgainWithOneStatusWriteInAll(TestCluster cluster) {
        ApiUser user = SidecarBench.deployed(cluster, "sidecar");
        try (SidecarBench bench = new SidecarBench(cluster)) {
            AtomicInteger attempts = new AtomicInteger();
            bench.driver().on(CreateBucketRequest.class, _ -> {
                int attempt = attempts.incrementAndGet();
                if (attempt < 5) {
                    throw CosiError.CREATE_INTERNAL_ERROR.exception("Attempt " + attempt + " failed.");
                }
                return Optional.empty();
            });
            bench.sidecar(user);
            Bucket bucket = bench.bucket("photos");
            bench.awaitFilled(bucket);
            bench.awaitReason(bucket, "Created");
            assertThat(attempts).hasValue(5);
            // One for the trouble, one for its end.
            assertThat(cluster.requests(user).of("patch", "buckets/status")).isEqualTo(2);
        }
    }

    @Test
    void aDeletionInProgressIsAskedForAgainUntilItIsDone(TestCluster cluster) {
        ApiUser user = SidecarBench.deployed(cluster, "sidecar");
        try (SidecarBench bench = new SidecarBench(cluster)) {
            bench.sidecar(user);
            Bucket bucket = bench.awaitFilled(bench.bucket("photos"));
            AtomicInteger attempts = new AtomicInteger();
            bench.driver().on(DeleteBucketRequest.class, _ -> {
                if (attempts.incrementAndGet() < 3) {
                    throw CosiError.DELETE_DELETE_INPROGRESS.exception("Still at it.");
                }
                return Optional.empty();
            });
            bench.delete(bucket);
            bench.awaitPhase(bucket, BucketPhase.DELETED);
            assertThat(attempts).hasValue(3);
            assertThat(bench.reasons(bucket)).doesNotContain("FailedDeleteBucket");
        }
    }

    @Test
    void aRefusedRevokeKeepsEverythingAndSaysWhy(TestCluster cluster) {
        ApiUser user = SidecarBench.deployed(cluster, "sidecar");
        try (SidecarBench bench = new SidecarBench(cluster)) {
            bench.sidecar(user);
            Bucket bucket = bench.awaitFilled(bench.bucket("photos"));
            BucketAccess access = bench.access("photos", bucket);
            bench.awaitGranted(access);
            bench.driver()
                    .failing(RevokeBucketAccessRequest.class, CosiError.REVOKE_INVALID_CREDENTIALS.exception("Who?"));
            bench.delete(access);
            bench.delete(bucket);
            bench.awaitMessage(access, "Retrying: InvalidCredentials: ");
            assertThat(bench.secretOf(access)).isNotNull();
            // The bucket waits for the account to go: it would be left in the store for ever.
            assertThat(bench.driver().asked(DeleteBucketRequest.class)).isEmpty();
            bench.driver().behaving();
            bench.awaitRevoked(access);
            bench.awaitPhase(bucket, BucketPhase.DELETED);
            assertThat(bench.driver().accounts).isEmpty();
        }
    }

    @Test
    void whatIsNotThereAnyMoreIsDeletedAndRevoked(TestCluster cluster) {
        ApiUser user = SidecarBench.deployed(cluster, "sidecar");
        try (SidecarBench bench = new SidecarBench(cluster)) {
            bench.sidecar(user);
            Bucket bucket = bench.awaitFilled(bench.bucket("photos"));
            BucketAccess access = bench.access("photos", bucket);
            bench.awaitGranted(access);
            bench.driver().buckets.clear();
            bench.delete(access);
            bench.awaitRevoked(access);
            bench.delete(bucket);
            bench.awaitPhase(bucket, BucketPhase.DELETED);
        }
    }

    @Test
    void aDriverOfAnotherNameOrProtocolIsNeverAskedForAnything(TestCluster cluster) throws Exception {
        ApiUser user = SidecarBench.deployed(cluster, "sidecar");
        try (SidecarBench bench = new SidecarBench(cluster)) {
            bench.driver().called("somebody.else");
            ControllerProcess sidecar = bench.sidecar(user);
            Bucket bucket = bench.bucket("photos");
            bench.awaitReason(bucket, "DriverIncompatible");
            assertThat(bench.require(bucket).status().message()).contains("somebody.else");
            assertThat(ready(sidecar)).isEqualTo(503);
            bench.driver().called("driver.test");
            bench.driver().speaking(DataProtocol.GCS);
            bench.driver().stop();
            bench.driver().start();
            bench.awaitReason(bucket, "InvalidProtocol");
            assertThat(bench.driver().requests).isEmpty();
            bench.driver().speaking(DataProtocol.S3);
            bench.driver().stop();
            bench.driver().start();
            bench.awaitFilled(bucket);
            assertThat(ready(sidecar)).isEqualTo(200);
        }
    }

    @Test
    void aDriverThatRestartsInTheMiddleOfACallLosesNothing(TestCluster cluster) {
        ApiUser user = SidecarBench.deployed(cluster, "sidecar");
        try (SidecarBench bench = new SidecarBench(cluster)) {
            CountDownLatch inCall = new CountDownLatch(1);
            CountDownLatch release = new CountDownLatch(1);
            bench.driver().on(CreateBucketRequest.class, _ -> {
                inCall.countDown();
                awaitQuietly(release);
                throw Status.UNAVAILABLE.withDescription("going down").asRuntimeException();
            });
            bench.sidecar(user);
            Bucket bucket = bench.bucket("photos");
            awaitQuietly(inCall);
            bench.driver().behaving();
            release.countDown();
            bench.driver().stop();
            bench.driver().start();
            bench.awaitFilled(bucket);
            assertThat(bench.driver().buckets).hasSize(1);
        }
    }

    private static int ready(ControllerProcess sidecar) throws Exception {
        try (HttpClient http = HttpClient.newHttpClient()) {
            URI uri = URI.create("http://127.0.0.1:" + sidecar.port() + "/readyz");
            return http.send(HttpRequest.newBuilder(uri).build(), BodyHandlers.discarding())
                    .statusCode();
        }
    }

    private static void awaitQuietly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
