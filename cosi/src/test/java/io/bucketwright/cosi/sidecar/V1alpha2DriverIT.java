package io.bucketwright.cosi.sidecar;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.bucketwright.api.cosi.Bucket;
import io.bucketwright.api.cosi.BucketAccess;
import io.bucketwright.api.cosi.PolicyActions;
import io.bucketwright.api.cosi.status.BucketPhase;
import io.bucketwright.cosi.bench.Specs;
import io.bucketwright.cosi.bench.V1alpha2StubDriver;
import io.bucketwright.cosi.proto.v1alpha2.AccessMode;
import io.bucketwright.cosi.proto.v1alpha2.AuthenticationType;
import io.bucketwright.cosi.proto.v1alpha2.DriverCreateBucketRequest;
import io.bucketwright.cosi.proto.v1alpha2.DriverDeleteBucketRequest;
import io.bucketwright.cosi.proto.v1alpha2.DriverGrantBucketAccessRequest;
import io.bucketwright.cosi.proto.v1alpha2.DriverRevokeBucketAccessRequest;
import io.bucketwright.cosi.proto.v1alpha2.ObjectProtocol;
import io.bucketwright.cosi.sidecar.released.ReleasedSidecar;
import io.bucketwright.runtime.engine.ClientOptions;
import io.bucketwright.runtime.engine.ControllerProcess;
import io.bucketwright.testing.CrashingClient;
import io.bucketwright.testing.OnCluster;
import io.bucketwright.testing.TestCluster;
import io.fabric8.kubernetes.api.model.Condition;
import io.fabric8.kubernetes.api.model.Secret;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Objects of {@code cosi.io} on a driver that speaks the protocol of v1alpha2, which is experimental. */
@OnCluster
class V1alpha2DriverIT extends SidecarTest {

    private static final ObjectProtocol S3 =
            ObjectProtocol.newBuilder().setType(ObjectProtocol.Type.S3).build();
    private static final AuthenticationType KEY =
            AuthenticationType.newBuilder().setType(AuthenticationType.Type.KEY).build();

    private V1alpha2StubDriver stub;

    @BeforeEach
    void startDriver() {
        stub = new V1alpha2StubDriver("driver.test");
    }

    @AfterEach
    void stopDriver() {
        bench.stopSidecars();
        stub.close();
    }

    private void sidecar() {
        bench.sidecar(user, builder -> builder.driver(stub.endpoint()).experimentalV1alpha2(true));
    }

    @Test
    void withoutTheFlagTheDriverIsRefusedWithOneSentence() {
        bench.sidecar(user, builder -> builder.driver(stub.endpoint()));
        Bucket bucket = bench.bucket("photos");
        bench.awaitReason(bucket, "DriverIncompatible");
        assertThat(bench.require(bucket).status().condition("Ready").map(Condition::getMessage))
                .hasValueSatisfying(message -> assertThat(message)
                        .contains("driver.test speaks sigs.k8s.io.cosi.v1alpha2, which is not released: start the"
                                + " sidecar with --experimental-cosi-v1alpha2"));
        assertThat(stub.asked(DriverCreateBucketRequest.class)).isEmpty();
    }

    @Test
    void aSidecarForReleasedKindsRefusesTheDriverWithOneSentence() {
        assertThatThrownBy(() -> ReleasedSidecar.requestDriverName(stub.endpoint(), Duration.ofSeconds(20)))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("speaks sigs.k8s.io.cosi.v1alpha2, which is not released")
                .hasMessageContaining("run a version of the driver that speaks cosi.v1alpha1");
    }

    @Test
    void aBucketIsCreatedGrantedRevokedAndDeletedByItsIds() {
        sidecar();
        Bucket bucket = bench.awaitCreated(
                bench.bucket("photos", spec -> Specs.with(spec, "parameters", Map.of("tier", "gold"))));
        String name = bucket.getSpec().protocol().bucketName();
        assertThat(bucket.bucketId()).isEqualTo("tenant/" + name);
        assertThat(stub.asked(DriverCreateBucketRequest.class))
                .containsExactly(DriverCreateBucketRequest.newBuilder()
                        .setName(name)
                        .addProtocols(S3)
                        .putParameters("tier", "gold")
                        .build());

        BucketAccess access = bench.access("photos", bucket, Map.of("mode", "ro"));
        Secret secret = bench.awaitGranted(access);
        String account = "user/" + access.account();
        assertThat(TestCluster.decoded(secret))
                .containsEntry("BUCKET_NAME", "corp-" + name)
                .containsEntry("BUCKET_ENDPOINT", "https://s3.test")
                .containsEntry("BUCKET_REGION", "north")
                .containsEntry("AWS_ACCESS_KEY_ID", "key-of-" + account)
                .containsEntry("AWS_SECRET_ACCESS_KEY", "secret-of-" + account);
        assertThat(stub.asked(DriverGrantBucketAccessRequest.class))
                .containsExactly(DriverGrantBucketAccessRequest.newBuilder()
                        .setAccountName(access.account())
                        .setProtocol(S3)
                        .setAuthenticationType(KEY)
                        .putParameters("mode", "ro")
                        .addBuckets(DriverGrantBucketAccessRequest.AccessedBucket.newBuilder()
                                .setBucketId(bucket.bucketId())
                                .setAccessMode(AccessMode.newBuilder().setMode(AccessMode.Mode.READ_WRITE)))
                        .build());
        bench.bind(bucket, "photos:ns/photos");
        bench.awaitPhase(bucket, BucketPhase.BOUND);

        // Another process knows the ids only from the objects.
        bench.stopSidecars();
        sidecar();
        bench.revoke(access);
        assertThat(stub.asked(DriverRevokeBucketAccessRequest.class))
                .containsExactly(DriverRevokeBucketAccessRequest.newBuilder()
                        .setAccountId(account)
                        .setProtocol(S3)
                        .setAuthenticationType(KEY)
                        .putParameters("mode", "ro")
                        .addBuckets(DriverRevokeBucketAccessRequest.AccessedBucket.newBuilder()
                                .setBucketId(bucket.bucketId()))
                        .build());
        bench.bind(bucket);
        bench.deleteBucket(bucket);
        assertThat(stub.asked(DriverDeleteBucketRequest.class))
                .containsExactly(DriverDeleteBucketRequest.newBuilder()
                        .setBucketId(bucket.bucketId())
                        .putParameters("tier", "gold")
                        .build());
        assertThat(stub.buckets).isEmpty();
        assertThat(stub.accounts).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void oneBucketAndOneAccountAreLeftAfterACrashBehindAnyCall(int fatal) {
        CrashingClient client = stub.crashAfterCall(fatal);
        ControllerProcess first = bench.sidecar(
                user,
                builder ->
                        ClientOptions.http(builder.driver(stub.endpoint()).experimentalV1alpha2(true), client::wrap));
        Bucket bucket = bench.bucket("photos-" + fatal);
        BucketAccess access = bench.access("photos-" + fatal, bucket);
        SidecarBench.await("crash " + fatal).until(client::died);
        first.close();
        stub.afterEffect(() -> {});
        sidecar();
        bench.awaitCreated(bucket);
        bench.awaitGranted(access);
        assertThat(stub.buckets).hasSize(1);
        assertThat(stub.accounts).containsOnlyKeys("user/" + access.account());
    }

    @Test
    void whatTheProtocolCannotExpressIsRefusedInsteadOfLeftOut() {
        sidecar();
        Bucket bucket = bench.createdBucket();
        BucketAccess limited = bench.access(
                "limited",
                bucket,
                spec -> Specs.with(spec, "policyActions", new PolicyActions(List.of("s3:GetObject"), List.of())));
        bench.awaitMessage(limited, "Failed: InvalidArgument");
        assertThat(bench.messageOf(limited)).contains("speaks sigs.k8s.io.cosi.v1alpha2", "policyActions");
        assertThat(stub.accounts).isEmpty();
    }
}
