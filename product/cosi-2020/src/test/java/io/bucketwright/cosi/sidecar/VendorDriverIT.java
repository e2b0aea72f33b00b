package io.bucketwright.cosi.sidecar;

import static org.assertj.core.api.Assertions.assertThat;

import io.bucketwright.api.cosi.Bucket;
import io.bucketwright.api.cosi.BucketAccess;
import io.bucketwright.api.cosi.CosiNames;
import io.bucketwright.api.cosi.PolicyActions;
import io.bucketwright.api.cosi.status.BucketPhase;
import io.bucketwright.cosi.fixture.Specs;
import io.bucketwright.cosi.fixture.V1alpha2StubDriver;
import io.bucketwright.cosi.fixture.VendorDriver;
import io.bucketwright.cosi.proto.v1alpha1.AuthenticationType;
import io.bucketwright.cosi.proto.v1alpha1.DriverCreateBucketRequest;
import io.bucketwright.cosi.proto.v1alpha1.DriverDeleteBucketRequest;
import io.bucketwright.cosi.proto.v1alpha1.DriverGrantBucketAccessRequest;
import io.bucketwright.cosi.proto.v1alpha1.DriverRevokeBucketAccessRequest;
import io.bucketwright.runtime.objects.Metadata;
import io.bucketwright.testing.OnCluster;
import io.bucketwright.testing.RequestCounts;
import io.bucketwright.testing.TestCluster;
import io.fabric8.kubernetes.api.model.Condition;
import io.fabric8.kubernetes.api.model.Secret;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Objects of {@code cosi.io} on a driver that speaks the released protocol, and whose ids are not the names. */
@OnCluster
class VendorDriverIT extends SidecarTest {

    private VendorDriver vendor;

    @BeforeEach
    void startDriver() {
        vendor = new VendorDriver("driver.test");
    }

    @AfterEach
    void stopDriver() {
        bench.stopSidecars();
        vendor.close();
    }

    private void sidecar() {
        bench.sidecar(user, builder -> builder.driver(vendor.endpoint()));
    }

    @Test
    void aBucketIsCreatedGrantedRevokedAndDeletedByItsIdsWithinTheBudget() {
        sidecar();
        RequestCounts before = cluster.requests(user);
        Bucket bucket = bench.awaitCreated(
                bench.bucket("photos", spec -> Specs.with(spec, "parameters", Map.of("tier", "gold"))));
        String name = bucket.getSpec().protocol().bucketName();
        assertThat(bucket.bucketId()).isEqualTo("eu:1/" + name + "@tenant");
        assertThat(vendor.asked(DriverCreateBucketRequest.class))
                .containsExactly(DriverCreateBucketRequest.newBuilder()
                        .setName(name)
                        .putParameters("tier", "gold")
                        .build());

        BucketAccess access = bench.access("photos", bucket, Map.of("mode", "ro"));
        Secret secret = bench.awaitGranted(access);
        assertThat(TestCluster.decoded(secret))
                .containsEntry("BUCKET_NAME", name)
                .containsEntry("AWS_ACCESS_KEY_ID", "key-1")
                .containsEntry("AWS_SECRET_ACCESS_KEY", "secret-1");
        assertThat(vendor.asked(DriverGrantBucketAccessRequest.class))
                .containsExactly(DriverGrantBucketAccessRequest.newBuilder()
                        .setBucketId(bucket.bucketId())
                        .setName(access.account())
                        .setAuthenticationType(AuthenticationType.Key)
                        .putParameters("mode", "ro")
                        .build());
        bench.bind(bucket, "photos:ns/photos");
        bench.awaitPhase(bucket, BucketPhase.BOUND);
        bench.awaitSettled();
        RequestCounts binding = cluster.requests(user).since(before);
        // Bucket's id, Secret, Bucket's status.
        assertThat(binding.writes()).as(binding.toString()).isEqualTo(3);
        assertThat(binding.reads()).isZero();

        // Another process knows the ids only from the objects.
        bench.stopSidecars();
        sidecar();
        bench.revoke(access);
        assertThat(vendor.asked(DriverRevokeBucketAccessRequest.class))
                .containsExactly(DriverRevokeBucketAccessRequest.newBuilder()
                        .setBucketId(bucket.bucketId())
                        .setAccountId("account=1")
                        .putRevokeAccessContext("mode", "ro")
                        .build());
        bench.bind(bucket);
        bench.deleteBucket(bucket);
        assertThat(vendor.asked(DriverDeleteBucketRequest.class))
                .containsExactly(DriverDeleteBucketRequest.newBuilder()
                        .setBucketId(bucket.bucketId())
                        .putDeleteContext("tier", "gold")
                        .build());
        assertThat(vendor.buckets).isEmpty();
        assertThat(vendor.accounts).isEmpty();
    }

    @Test
    void aRotationRevokesThePreviousAccountByItsId() {
        sidecar();
        Bucket bucket = bench.createdBucket();
        BucketAccess access = bench.access("photos", bucket, Map.of(CosiNames.ROTATION_OVERLAP, "2s"));
        bench.awaitGranted(access);
        bench.annotate(access, CosiNames.ROTATE_AT, "2020-01-01T00:00:00Z");
        SidecarFixture.await("new keys").until(() -> bench.keyOf(access).equals("secret-2"));
        SidecarFixture.await("the end of the overlap").until(() -> !vendor.accounts.containsKey("account=1"));
        SidecarFixture.await("the record of that end")
                .until(() -> Metadata.annotation(bench.awaitGranted(access), CosiNames.PREVIOUS_ACCOUNT_ID)
                        .isEmpty());
        assertThat(Metadata.annotation(bench.awaitGranted(access), CosiNames.ACCOUNT_ID))
                .isEqualTo("account=2");
        assertThat(vendor.accounts).containsOnlyKeys("account=2");
    }

    @Test
    void theAccountOfABucketThatSomebodyRemovedByForceIsRevokedByTheIdsInTheSecret() {
        sidecar();
        Bucket bucket = bench.createdBucket();
        BucketAccess access = bench.grantedAccess(bucket);
        cluster.forceDelete(bench.require(bucket));
        bench.revoke(access);
        assertThat(vendor.asked(DriverRevokeBucketAccessRequest.class))
                .extracting(DriverRevokeBucketAccessRequest::getBucketId)
                .containsExactly(bucket.bucketId());
        assertThat(vendor.accounts).isEmpty();
    }

    @Test
    void whatTheProtocolCannotExpressIsRefusedInsteadOfLeftOut() {
        sidecar();
        Bucket open = bench.bucket("open", spec -> Specs.with(spec, "anonymousAccessMode", "publicRead"));
        bench.awaitReason(open, "InvalidArgument");
        Bucket bucket = bench.createdBucket();
        BucketAccess limited = bench.access(
                "limited",
                bucket,
                spec -> Specs.with(spec, "policyActions", new PolicyActions(List.of("s3:GetObject"), List.of())));
        bench.awaitMessage(limited, "Failed: InvalidArgument");
        assertThat(bench.messageOf(limited)).contains("policyActions");
        assertThat(vendor.accounts).isEmpty();
        assertThat(vendor.buckets).hasSize(1);
    }

    @Test
    void aDriverOfV1alpha2IsRefusedWithOneSentence() {
        try (V1alpha2StubDriver unreleased = new V1alpha2StubDriver("driver.test")) {
            bench.sidecar(user, builder -> builder.driver(unreleased.endpoint()));
            Bucket bucket = bench.bucket("photos");
            bench.awaitReason(bucket, "DriverIncompatible");
            assertThat(bench.require(bucket).status().condition("Ready").map(Condition::getMessage))
                    .hasValueSatisfying(message -> assertThat(message)
                            .contains("driver.test speaks sigs.k8s.io.cosi.v1alpha2, which is not released"));
            bench.stopSidecars();
        }
    }
}
