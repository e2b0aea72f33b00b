package io.bucketwright.cosi.sidecar.released;

import static org.assertj.core.api.Assertions.assertThat;

import io.bucketwright.api.objectstorage.BucketClaim;
import io.bucketwright.api.objectstorage.BucketClaimStatus;
import io.bucketwright.api.objectstorage.ReleasedAccessStatus;
import io.bucketwright.api.objectstorage.ReleasedBucket;
import io.bucketwright.api.objectstorage.ReleasedBucketAccess;
import io.bucketwright.api.objectstorage.ReleasedBucketSpec;
import io.bucketwright.api.objectstorage.ReleasedBucketStatus;
import io.bucketwright.api.objectstorage.ReleasedNames;
import io.bucketwright.cosi.fixture.VendorDriver;
import io.bucketwright.cosi.proto.v1alpha1.AuthenticationType;
import io.bucketwright.cosi.proto.v1alpha1.DriverCreateBucketRequest;
import io.bucketwright.cosi.proto.v1alpha1.DriverDeleteBucketRequest;
import io.bucketwright.cosi.proto.v1alpha1.DriverGrantBucketAccessRequest;
import io.bucketwright.cosi.proto.v1alpha1.DriverRevokeBucketAccessRequest;
import io.bucketwright.runtime.engine.ControllerProcess;
import io.bucketwright.testing.OnCluster;
import io.bucketwright.testing.RequestCounts;
import io.fabric8.kubernetes.api.model.ObjectReference;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.SecretBuilder;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The sidecar for released kinds with the role of a vendor, on a driver whose ids are not the names. */
@OnCluster
class ReleasedSidecarIT extends ReleasedTest {

    private ReleasedFixture bench;
    private VendorDriver vendor;

    @BeforeEach
    void startDriver() {
        String driver = "Driver." + cluster.namespace();
        vendor = new VendorDriver(driver);
        bench = new ReleasedFixture(cluster, user, driver);
    }

    @AfterEach
    void close() {
        bench.close();
        vendor.close();
    }

    @Test
    void aClaimAndAnAccessAreServedWithinTheBudgetAndDeletedByTheirIds() {
        bench.sidecar(vendor.endpoint());
        bench.accessClass("readers", bench.driverName, Map.of("mode", "ro"));
        RequestCounts before = cluster.requests(bench.user);
        BucketClaim claim = bench.claim("photos", Map.of("tier", "gold"), "Delete");
        ReleasedBucketAccess access = bench.access("photos", "photos", "readers");
        bench.awaitReady(claim);
        ReleasedBucketAccess granted = bench.awaitGranted(access);
        bench.awaitSettled();
        RequestCounts binding = cluster.requests(bench.user).since(before);

        String name = ReleasedFixture.bucketName(claim);
        String id = "eu:1/" + name + "@tenant";
        assertThat(bench.bucketOf(claim).status()).isEqualTo(new ReleasedBucketStatus(true, id));
        assertThat(bench.require(claim).status()).isEqualTo(new BucketClaimStatus(true, name));
        assertThat(granted.status()).isEqualTo(new ReleasedAccessStatus("account=1", true));
        assertThat(granted.getMetadata().getFinalizers()).containsExactly(ReleasedNames.ACCESS_FINALIZER);
        assertThat(bench.bucketOf(claim).getMetadata().getFinalizers())
                .containsExactlyInAnyOrder(ReleasedNames.BUCKET_FINALIZER, ReleasedNames.ACCESSED_BUCKET_FINALIZER);
        assertThat(bench.infoOf(access))
                .isEqualTo(
                        "{\"metadata\":{\"name\":\"bc-" + access.getMetadata().getUid()
                                + "\",\"creationTimestamp\":null},\"spec\":{\"bucketName\":\"" + name
                                + "\",\"authenticationType\":\"Key\",\"secretS3\":{\"endpoint\":\"\",\"region\":\"\","
                                + "\"accessKeyID\":\"key-1\",\"accessSecretKey\":\"secret-1\"},\"secretAzure\":null,"
                                + "\"protocols\":[\"S3\"]}}");
        Secret secret = Objects.requireNonNull(bench.secretOf(access));
        assertThat(secret.getMetadata().getFinalizers()).containsExactly(ReleasedNames.SECRET_FINALIZER);
        assertThat(secret.getType()).isEqualTo("Opaque");
        assertThat(secret.getData()).hasSize(1);
        assertThat(vendor.asked(DriverCreateBucketRequest.class))
                .containsExactly(DriverCreateBucketRequest.newBuilder()
                        .setName(name)
                        .putParameters("tier", "gold")
                        .build());
        assertThat(vendor.asked(DriverGrantBucketAccessRequest.class))
                .containsExactly(DriverGrantBucketAccessRequest.newBuilder()
                        .setBucketId(id)
                        .setName("ba-" + access.getMetadata().getUid())
                        .setAuthenticationType(AuthenticationType.Key)
                        .putParameters("mode", "ro")
                        .build());
        // Bucket: finalizers and uid, id, status; the claim's status. Access: finalizer, ledger before and after the
        // call,
        // Secret, status. The id is written twice, because a backup has no status.
        assertThat(binding.writes()).as(binding.toString()).isEqualTo(4 + 5);
        assertThat(binding.reads()).as(binding.toString()).isZero();
        assertThat(binding.events()).as(binding.toString()).isEqualTo(1);

        bench.stopSidecars();
        RequestCounts atStop = cluster.requests(bench.user);
        bench.sidecar(vendor.endpoint());
        bench.awaitSettled();
        RequestCounts restart = cluster.requests(bench.user).since(atStop);
        assertThat(restart.writes() + restart.reads() + restart.events())
                .as(restart.toString())
                .isZero();

        bench.deleteClaim(claim);
        bench.awaitDeleted(access);
        bench.awaitDeleted(claim);
        bench.awaitDeleted(bench.made(claim));
        assertThat(bench.secretOf(access)).isNull();
        assertThat(vendor.asked(DriverRevokeBucketAccessRequest.class))
                .containsExactly(DriverRevokeBucketAccessRequest.newBuilder()
                        .setBucketId(id)
                        .setAccountId("account=1")
                        .putRevokeAccessContext("mode", "ro")
                        .build());
        assertThat(vendor.asked(DriverDeleteBucketRequest.class))
                .containsExactly(DriverDeleteBucketRequest.newBuilder()
                        .setBucketId(id)
                        .putDeleteContext("tier", "gold")
                        .build());
        assertThat(vendor.buckets).isEmpty();
        assertThat(vendor.accounts).isEmpty();
    }

    @Test
    void credentialsAreRotatedWithASecondAccountAndTheFirstOneIsRevoked() {
        ControllerProcess sidecar = bench.sidecar(vendor.endpoint());
        bench.rotatingClass("readers", Map.of("mode", "ro"), "0s");
        BucketClaim claim = bench.claim("photos");
        ReleasedBucketAccess access = bench.access("photos", "photos", "readers");
        bench.awaitGranted(access);
        bench.awaitSettled();
        RequestCounts before = cluster.requests(bench.user);
        bench.rotate(access, "2026-01-01T00:00:00Z");
        bench.awaitEvent(access, "AccessRotated: Secret photos-credentials contains new credentials");
        ReleasedFixture.await("revocation").until(() -> vendor.accounts.equals(Map.of("account=2", "secret-2")));
        ReleasedFixture.await("end of the overlap")
                .until(() -> !bench.bucketOf(claim)
                        .getMetadata()
                        .getAnnotations()
                        .toString()
                        .contains("RETIRING"));
        RequestCounts rotation = cluster.requests(bench.user).since(before);

        assertThat(bench.require(access).status()).isEqualTo(new ReleasedAccessStatus("account=2", true));
        assertThat(bench.infoOf(access)).contains("\"accessSecretKey\":\"secret-2\"");
        assertThat(Objects.requireNonNull(bench.secretOf(access)).getMetadata().getFinalizers())
                .containsExactly(ReleasedNames.SECRET_FINALIZER);
        assertThat(vendor.asked(DriverGrantBucketAccessRequest.class))
                .extracting(DriverGrantBucketAccessRequest::getName)
                .containsExactly(
                        "ba-" + access.getMetadata().getUid(),
                        "ba-" + access.getMetadata().getUid() + "-2");
        assertThat(vendor.asked(DriverRevokeBucketAccessRequest.class))
                .extracting(DriverRevokeBucketAccessRequest::getAccountId)
                .containsExactly("account=1");
        // Bucket: name, id; Secret; Bucket: end; status; Bucket: end of the overlap.
        assertThat(rotation.writes()).as(rotation.toString()).isEqualTo(6);
        assertThat(rotation.reads()).as(rotation.toString()).isEqualTo(1);
        assertThat(rotation.events()).as(rotation.toString()).isEqualTo(1);
        assertThat(sidecar.metrics()).contains("bucketwright_credentials{role=\"cosi-sidecar\",rotation=\"none\"} 1");

        bench.stopSidecars();
        RequestCounts atStop = cluster.requests(bench.user);
        bench.sidecar(vendor.endpoint());
        bench.awaitSettled();
        RequestCounts restart = cluster.requests(bench.user).since(atStop);
        assertThat(restart.writes() + restart.reads()).as(restart.toString()).isZero();
        bench.delete(access);
        bench.awaitDeleted(access);
        assertThat(vendor.accounts).isEmpty();
        ReleasedFixture.await("the ledger to be empty")
                .until(() ->
                        !bench.bucketOf(claim).getMetadata().getAnnotations().containsKey(ReleasedNames.GRANTS));
    }

    @Test
    void aBucketWhoseClaimIsRemovedByForceIsReportedAndStays() {
        bench.sidecar(vendor.endpoint());
        BucketClaim claim = bench.claim("photos");
        bench.awaitReady(claim);
        cluster.forceDelete(claim);
        bench.awaitEvent(bench.made(claim), "ClaimLost: BucketClaim " + cluster.namespace() + "/photos");
        assertThat(vendor.buckets).hasSize(1);
    }

    @Test
    void anExistingBucketIsServedWithoutACallAndStaysInTheStore() {
        bench.sidecar(vendor.endpoint());
        ReleasedBucket bucket = bench.bucket(
                cluster.namespace() + "-archive",
                new ReleasedBucketSpec(
                        bench.driverName.toLowerCase(Locale.ROOT),
                        "archive",
                        new ObjectReference(),
                        List.of(),
                        Map.of(),
                        "",
                        "archive-2019"));
        ReleasedFixture.await("the existing bucket")
                .until(() -> bench.require(bucket).status().equals(new ReleasedBucketStatus(true, "archive-2019")));
        bench.delete(bucket);
        bench.awaitDeleted(bucket);
        assertThat(vendor.asked(DriverCreateBucketRequest.class)).isEmpty();
        assertThat(vendor.asked(DriverDeleteBucketRequest.class)).isEmpty();
    }

    @Test
    void aSecretOfSomebodyElseIsNeitherOverwrittenNorDeleted() {
        bench.sidecar(vendor.endpoint());
        bench.accessClass("readers", bench.driverName, Map.of());
        Secret foreign = cluster.admin()
                .resource(new SecretBuilder()
                        .withNewMetadata()
                        .withNamespace(cluster.namespace())
                        .withName("photos-credentials")
                        .endMetadata()
                        .withStringData(Map.of("password", "mine"))
                        .build())
                .create();
        BucketClaim claim = bench.claim("photos");
        ReleasedBucketAccess access = bench.access("photos", "photos", "readers");
        bench.awaitEvent(access, "Secret photos-credentials exists and does not belong");
        assertThat(bench.require(access).status().accessGranted()).isFalse();
        assertThat(vendor.asked(DriverGrantBucketAccessRequest.class)).hasSize(1);

        // Another process does not grant again while the name is in use.
        bench.stopSidecars();
        bench.sidecar(vendor.endpoint());
        bench.awaitSettled();
        assertThat(vendor.asked(DriverGrantBucketAccessRequest.class)).hasSize(1);
        bench.delete(access);
        bench.awaitDeleted(access);
        assertThat(bench.require(foreign).getData()).isEqualTo(foreign.getData());
        assertThat(vendor.accounts).isEmpty();
        assertThat(bench.exists(claim)).isTrue();
    }

    @Test
    void onlyABucketThatIsBoundToTheClaimIsGranted() {
        bench.sidecar(vendor.endpoint());
        bench.accessClass("readers", bench.driverName, Map.of());
        BucketClaim theirs = bench.claim("theirs");
        bench.awaitReady(theirs);
        // A claim names a Bucket of somebody else, as the reference's controller lets it, and never had one of its own.
        cluster.editStatus(
                bench.unboundClaim("mine"),
                claim -> claim.setStatus(new BucketClaimStatus(true, ReleasedFixture.bucketName(theirs))));
        ReleasedBucketAccess access = bench.access("photos", "mine", "readers");
        bench.awaitEvent(access, "is not bound to BucketClaim mine");
        assertThat(vendor.asked(DriverGrantBucketAccessRequest.class)).isEmpty();
    }

    @Test
    void objectsOfAnotherDriverAreLeftAlone() {
        bench.sidecar(vendor.endpoint());
        bench.accessClass("others", "other.example.com", Map.of());
        BucketClaim claim = bench.claim("photos");
        ReleasedBucketAccess access = bench.access("photos", "photos", "others");
        ReleasedBucket other = bench.bucket(
                cluster.namespace() + "-other",
                new ReleasedBucketSpec(
                        "other.example.com", "other", new ObjectReference(), List.of(), Map.of(), "", "archive"));
        bench.awaitReady(claim);
        bench.awaitSettled();
        assertThat(bench.require(other).getMetadata().getFinalizers()).isEmpty();
        assertThat(bench.require(access).getMetadata().getFinalizers()).isEmpty();
        assertThat(bench.events(access)).isEmpty();
    }

    /** One claim's call lasts for minutes: others are served meanwhile, and the process ends without its answer. */
    @Test
    void aCallThatHangsBlocksNeitherOtherClaimsNorDeletionsNorTheShutdown() throws Exception {
        ControllerProcess sidecar = bench.sidecar(vendor.endpoint());
        BucketClaim before = bench.claim("before");
        bench.awaitReady(before);
        CountDownLatch asked = new CountDownLatch(1);
        CountDownLatch end = new CountDownLatch(1);
        AtomicBoolean first = new AtomicBoolean(true);
        vendor.afterEffect(() -> {
            if (first.getAndSet(false)) {
                asked.countDown();
                await(end);
            }
        });
        BucketClaim hanging = bench.claim("hanging");
        asked.await();
        bench.awaitReady(bench.claim("next"));
        bench.deleteClaim(before);
        bench.awaitDeleted(before);
        assertThat(bench.require(hanging).status().bucketReady()).isFalse();
        sidecar.close();
        assertThat(end.getCount()).as("the call still hangs").isEqualTo(1);
        end.countDown();

        bench.sidecar(vendor.endpoint());
        bench.awaitReady(hanging);
        assertThat(vendor.buckets).hasSize(2);
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Test
    void aClaimThatTheControllerResetsIsReadyAgain() {
        bench.sidecar(vendor.endpoint());
        BucketClaim claim = bench.claim("photos");
        bench.awaitReady(claim);
        cluster.editStatus(
                claim,
                current -> current.setStatus(
                        new BucketClaimStatus(false, current.status().bucketName())));
        bench.awaitReady(claim);
        assertThat(vendor.asked(DriverCreateBucketRequest.class)).hasSize(1);
    }
}
