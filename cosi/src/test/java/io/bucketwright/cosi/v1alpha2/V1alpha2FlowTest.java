package io.bucketwright.cosi.v1alpha2;

import static org.assertj.core.api.Assertions.assertThat;

import io.bucketwright.cosi.proto.v1alpha2.AccessMode;
import io.bucketwright.cosi.proto.v1alpha2.DriverCreateBucketRequest;
import io.bucketwright.cosi.proto.v1alpha2.DriverDeleteBucketRequest;
import io.bucketwright.cosi.proto.v1alpha2.DriverGetExistingBucketRequest;
import io.bucketwright.cosi.proto.v1alpha2.DriverGrantBucketAccessRequest;
import io.bucketwright.cosi.proto.v1alpha2.DriverRevokeBucketAccessRequest;
import io.bucketwright.runtime.ManualLeadership;
import io.bucketwright.runtime.objects.Metadata;
import io.bucketwright.runtime.testing.Fault;
import io.bucketwright.runtime.testing.InMemoryProcess;
import io.bucketwright.testing.CrashLoop;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.SecretBuilder;
import io.grpc.Status;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** BucketClaims and BucketAccesses of v1alpha2, from their creation to their deletion. */
class V1alpha2FlowTest {

    private static final V1alpha2Access.ClaimAccess PHOTOS =
            new V1alpha2Access.ClaimAccess("photos", "ReadOnly", "photos-keys");
    private static final V1alpha2Access.ClaimAccess VIDEOS =
            new V1alpha2Access.ClaimAccess("videos", "ReadWrite", "videos-keys");

    private V1alpha2World world = new V1alpha2World();

    @AfterEach
    void close() {
        world.close();
    }

    private void twoBucketsAndOneAccess() {
        world.bucketClass("gold", "Delete");
        world.accessClass("readers", List.of(), "MultipleBuckets");
        world.claim("photos", "gold", "");
        world.claim("videos", "gold", "");
        world.access("both", "readers", PHOTOS, VIDEOS);
    }

    @Test
    void oneAccountGetsTwoBucketsWithTheirModesAndASecretForEach() {
        twoBucketsAndOneAccess();
        world.settle();

        String uid = world.claim("photos").getMetadata().getUid();
        assertThat(world.claim("photos").status())
                .isEqualTo(new V1alpha2Claim.ClaimStatus("bc-" + uid, true, List.of("S3"), null));
        V1alpha2Bucket bucket = world.bucketOf("photos");
        assertThat(bucket.status().bucketID()).isEqualTo("tenant/bc-" + uid);
        assertThat(bucket.status().bucketInfo()).containsEntry("COSI_S3_BUCKET_ID", "corp-bc-" + uid);
        assertThat(bucket.spec().deletionPolicy()).isEqualTo("Delete");
        assertThat(world.driver.asked(DriverCreateBucketRequest.class)).hasSize(2);

        V1alpha2Access access = world.access("both");
        String account = "ba-" + access.getMetadata().getUid();
        assertThat(access.status().readyToUse()).isTrue();
        assertThat(access.status().accountID()).isEqualTo("user/" + account);
        assertThat(access.status().driverName()).isEqualTo(V1alpha2World.DRIVER);
        assertThat(access.status().authenticationType()).isEqualTo("Key");
        assertThat(access.status().parameters()).isEqualTo(Map.of("team", "a"));
        assertThat(access.status().accessedBuckets())
                .extracting(V1alpha2Access.AccessedBucket::bucketClaimName)
                .containsExactly("photos", "videos");
        assertThat(world.driver.accounts)
                .isEqualTo(Map.of(
                        "user/" + account,
                        Map.of(
                                world.bucketOf("photos").status().bucketID(),
                                AccessMode.Mode.READ_ONLY,
                                world.bucketOf("videos").status().bucketID(),
                                AccessMode.Mode.READ_WRITE)));
        assertThat(world.driver.asked(DriverGrantBucketAccessRequest.class)).hasSize(1);
        assertThat(world.secret("photos-keys"))
                .hasValue(Map.of(
                        "COSI_PROTOCOL",
                        "S3",
                        "COSI_S3_BUCKET_ID",
                        "corp-bc-" + uid,
                        "COSI_S3_ENDPOINT",
                        "https://s3.test",
                        "COSI_S3_REGION",
                        "north",
                        "COSI_S3_ADDRESSING_STYLE",
                        "path",
                        "COSI_S3_ACCESS_KEY_ID",
                        "key-of-user/" + account,
                        "COSI_S3_ACCESS_SECRET_KEY",
                        "secret-of-user/" + account));
        assertThat(world.secret("videos-keys"))
                .hasValueSatisfying(data -> assertThat(data)
                        .containsEntry(
                                "COSI_S3_BUCKET_ID",
                                "corp-" + world.bucketOf("videos").getMetadata().getName()));
        assertThat(Metadata.annotations(world.claim("photos"))).containsKey(V1alpha2Names.ACCESS_REFERENCES);

        world.delete(V1alpha2Access.class, "both");
        world.settle();
        assertThat(world.server.list(V1alpha2Access.class)).isEmpty();
        assertThat(world.server.list(Secret.class)).isEmpty();
        assertThat(world.driver.accounts).isEmpty();
        assertThat(Metadata.annotations(world.claim("photos"))).doesNotContainKey(V1alpha2Names.ACCESS_REFERENCES);

        world.delete(V1alpha2Claim.class, "photos");
        world.delete(V1alpha2Claim.class, "videos");
        world.settle();
        assertNothingIsLeft();
        assertThat(world.driver.asked(DriverDeleteBucketRequest.class))
                .allSatisfy(request -> assertThat(request.getParametersMap()).containsEntry("tier", "gold"));
    }

    private void assertNothingIsLeft() {
        assertThat(world.server.list(V1alpha2Claim.class)).isEmpty();
        assertThat(world.server.list(V1alpha2Bucket.class)).isEmpty();
        assertThat(world.server.list(V1alpha2Access.class)).isEmpty();
        assertThat(world.server.list(Secret.class)).isEmpty();
        assertThat(world.driver.buckets).isEmpty();
        assertThat(world.driver.accounts).isEmpty();
    }

    @ParameterizedTest
    @EnumSource(names = {"REQUEST_LOST", "RESPONSE_LOST"})
    void nothingIsLostOrDoubledAfterACrashAtAnyWrite(Fault fault) throws InterruptedException {
        int crashes = CrashLoop.untilNothingFiresInOrder(write -> {
            ManualLeadership leadership = new ManualLeadership();
            twoBucketsAndOneAccess();
            boolean early = crash(leadership, world.process(leadership), write, fault);
            assertBoundOnce();
            deleteAll();
            ManualLeadership second = new ManualLeadership();
            boolean late = crash(second, world.process(second), write, fault);
            assertNothingIsLeft();
            renewWorld();
            return early || late;
        });
        // Claims 4 each, Buckets 2 each, access 4, Secrets 4; and fewer for the deletion.
        assertThat(crashes).isGreaterThanOrEqualTo(16);
    }

    @Test
    void nothingIsLostOrDoubledAfterACrashBehindAnyCall() throws InterruptedException {
        AtomicInteger early = new AtomicInteger();
        AtomicInteger late = new AtomicInteger();
        CrashLoop.untilNothingFiresInOrder(fatal -> {
            twoBucketsAndOneAccess();
            boolean bindingCrashed = crashesBehindCall(fatal);
            world.settle();
            assertBoundOnce();
            deleteAll();
            boolean deletionCrashed = crashesBehindCall(fatal);
            world.settle();
            assertNothingIsLeft();
            renewWorld();
            early.addAndGet(bindingCrashed ? 1 : 0);
            late.addAndGet(deletionCrashed ? 1 : 0);
            return bindingCrashed || deletionCrashed;
        });
        // Two buckets and an access, created and deleted.
        assertThat(early).hasValue(3);
        assertThat(late).hasValue(3);
    }

    private void renewWorld() {
        world.close();
        world = new V1alpha2World();
    }

    /** The driver has granted the access, nobody knows the account, and the access is deleted. */
    @Test
    void theAccountOfALostAnswerIsRevokedWithItsAccess() {
        twoBucketsAndOneAccess();
        assertThat(crashesBehindCall(3)).isTrue();
        assertThat(world.driver.accounts).hasSize(1);
        assertThat(world.access("both").status().accountID()).isEmpty();
        deleteAll();
        world.settle();
        assertNothingIsLeft();
        assertThat(world.driver.asked(DriverRevokeBucketAccessRequest.class)).hasSize(1);
    }

    /** Only a refusal proves that nothing was created: an internal error may follow the effect. */
    @ParameterizedTest
    @EnumSource(
            value = Status.Code.class,
            names = {"INTERNAL", "UNKNOWN", "RESOURCE_EXHAUSTED", "PERMISSION_DENIED"})
    void whatAFailedCallMayHaveCreatedIsRemoved(Status.Code code) throws InterruptedException {
        int failed = CrashLoop.untilNothingFiresInOrder(first -> {
            AtomicInteger calls = new AtomicInteger();
            twoBucketsAndOneAccess();
            InMemoryProcess process = world.process(new ManualLeadership());
            world.driver.afterEffect(() -> {
                if (calls.incrementAndGet() >= first) {
                    throw code.toStatus().asRuntimeException();
                }
            });
            process.settle();
            boolean fired = calls.get() >= first;
            deleteAll();
            process.settle();
            world.driver.afterEffect(() -> {});
            world.settle();
            assertNothingIsLeft();
            renewWorld();
            return fired;
        });
        // Two buckets and an access.
        assertThat(failed).isEqualTo(3);
    }

    private void deleteAll() {
        world.delete(V1alpha2Access.class, "both");
        world.delete(V1alpha2Claim.class, "photos");
        world.delete(V1alpha2Claim.class, "videos");
    }

    private void assertBoundOnce() {
        assertThat(world.access("both").status().readyToUse()).isTrue();
        assertThat(world.driver.buckets).hasSize(2);
        assertThat(world.driver.accounts).hasSize(1);
        assertThat(world.secret("photos-keys"))
                .hasValueSatisfying(data -> assertThat(data).containsKey("COSI_S3_ACCESS_SECRET_KEY"));
    }

    /** Runs a process that ends at its write of this number, and then another one. Whether it came to that write. */
    private boolean crash(ManualLeadership leadership, InMemoryProcess process, int fatal, Fault fault) {
        AtomicInteger writes = new AtomicInteger();
        process.faults(() -> {
            if (writes.incrementAndGet() == fatal) {
                leadership.lose();
                return fault;
            }
            return Fault.NONE;
        });
        runUntilIdle(process, () -> writes.get() >= fatal);
        world.settle();
        return writes.get() >= fatal;
    }

    private static void runUntilIdle(InMemoryProcess process, BooleanSupplier crashed) {
        boolean busy = true;
        while (busy && !crashed.getAsBoolean()) {
            boolean delivered = process.deliverNext();
            busy = process.runNext() || delivered;
        }
    }

    /** Runs a process that ends behind its call of this number. Whether it came to that call. */
    private boolean crashesBehindCall(int fatal) {
        ManualLeadership leadership = new ManualLeadership();
        AtomicInteger calls = new AtomicInteger();
        InMemoryProcess process = world.process(leadership);
        world.driver.afterEffect(() -> {
            if (calls.incrementAndGet() == fatal) {
                leadership.lose();
                throw Status.UNAVAILABLE.asRuntimeException();
            }
        });
        runUntilIdle(process, () -> calls.get() >= fatal);
        world.driver.afterEffect(() -> {});
        return calls.get() >= fatal;
    }

    @Test
    void whatTheClassDoesNotPermitIsRefused() {
        world.bucketClass("gold", "Delete");
        world.accessClass("single", List.of(), "");
        world.accessClass("readonly", List.of("ReadWrite"), "MultipleBuckets");
        world.claim("photos", "gold", "");
        world.claim("videos", "gold", "");
        world.access("several", "single", PHOTOS, VIDEOS);
        world.access("writing", "readonly", VIDEOS);
        world.access("later", "single", new V1alpha2Access.ClaimAccess("photos", "", "k"));
        world.access("same", "readonly", PHOTOS, new V1alpha2Access.ClaimAccess("videos", "ReadOnly", "photos-keys"));
        world.settle();
        assertThat(world.errorOf(world.access("several"))).contains("permits one BucketClaim only");
        assertThat(world.errorOf(world.access("writing"))).contains("does not permit accessMode ReadWrite");
        assertThat(world.errorOf(world.access("later"))).contains("must be ReadWrite, ReadOnly or WriteOnly");
        assertThat(world.errorOf(world.access("same"))).contains("an accessSecretName of its own");
        assertThat(world.driver.accounts).isEmpty();
    }

    @Test
    void aSecretOfSomebodyElseIsNeitherOverwrittenNorDeleted() {
        twoBucketsAndOneAccess();
        world.server.create(new SecretBuilder()
                .withNewMetadata()
                .withNamespace(V1alpha2World.NAMESPACE)
                .withName("videos-keys")
                .endMetadata()
                .withData(Map.of("password", "bWluZQ=="))
                .build());
        world.settle();
        assertThat(world.errorOf(world.access("both"))).contains("Secret videos-keys exists");
        assertThat(world.driver.asked(DriverGrantBucketAccessRequest.class)).isEmpty();
        world.delete(V1alpha2Access.class, "both");
        world.settle();
        assertThat(world.server.list(V1alpha2Access.class)).isEmpty();
        assertThat(world.secret("videos-keys")).hasValue(Map.of("password", "mine"));
        assertThat(world.secret("photos-keys")).isEmpty();
    }

    @Test
    void aClaimInUseIsDeletedAfterItsAccess() {
        twoBucketsAndOneAccess();
        world.settle();
        world.delete(V1alpha2Claim.class, "photos");
        world.settle();
        assertThat(world.errorOf(world.claim("photos"))).contains("is in use. Delete BucketAccess both first");
        assertThat(world.driver.buckets).hasSize(2);
        world.delete(V1alpha2Access.class, "both");
        world.settle();
        assertThat(world.driver.buckets).hasSize(1);
        assertThat(world.server.get(V1alpha2Claim.class, V1alpha2World.NAMESPACE, "photos"))
                .isEmpty();
    }

    @Test
    void aClaimIsNotReleasedWhileTheCacheDoesNotShowItsBucketYet() {
        world.bucketClass("gold", "Delete");
        InMemoryProcess late = world.process(new ManualLeadership());
        world.claim("photos", "gold", "");
        world.settle();
        world.delete(V1alpha2Claim.class, "photos");
        late.deliver(V1alpha2Claim.class);
        late.runNext();
        assertThat(world.claim("photos").getMetadata().getFinalizers()).isNotEmpty();
        late.settle();
        world.settle();
        assertNothingIsLeft();
    }

    @Test
    void aRetainedBucketStays() {
        world.bucketClass("archive", "Retain");
        world.claim("photos", "archive", "");
        world.settle();
        String bucket = world.claim("photos").status().boundBucketName();
        world.delete(V1alpha2Claim.class, "photos");
        world.settle();
        assertThat(world.server.list(V1alpha2Claim.class)).isEmpty();
        assertThat(world.driver.buckets).hasSize(1);
        world.server.delete(V1alpha2Bucket.class, "", bucket);
        world.settle();
        assertThat(world.server.get(V1alpha2Bucket.class, "", bucket).map(V1alpha2Bucket::status))
                .hasValueSatisfying(status -> assertThat(StatusError.messageOf(status.error()))
                        .contains("only deletionPolicy Delete deletes"));
        assertThat(world.driver.buckets).hasSize(1);
    }

    /** Its deletion policy is Delete already: only the claim is in the way. */
    @Test
    void aBucketThatIsDeletedBeforeItsClaimNamesTheClaim() {
        world.bucketClass("gold", "Delete");
        world.claim("photos", "gold", "");
        world.settle();
        world.server.delete(
                V1alpha2Bucket.class, "", world.claim("photos").status().boundBucketName());
        world.settle();
        assertThat(StatusError.messageOf(world.bucketOf("photos").status().error()))
                .isEqualTo("The Bucket is not deleted: it is bound to BucketClaim \"photos\" of namespace \""
                        + V1alpha2World.NAMESPACE + "\". Delete the BucketClaim first.");
        assertThat(world.driver.buckets).hasSize(1);
        world.delete(V1alpha2Claim.class, "photos");
        world.settle();
        assertNothingIsLeft();
    }

    @Test
    void anExistingBucketIsOnlyForTheClaimThatItNames() {
        world.driver.buckets.put("old/archive", "archive");
        world.bucket(
                "archive", "old/archive", new V1alpha2Bucket.ClaimReference("photos", V1alpha2World.NAMESPACE, ""));
        world.claim("thief", "", "archive");
        world.claim("photos", "", "archive");
        world.settle();
        assertThat(world.claim("photos").status().readyToUse()).isTrue();
        assertThat(world.bucketOf("photos").status().bucketID()).isEqualTo("old/archive");
        assertThat(world.bucketOf("photos").claim().isBoundTo(world.claim("photos")))
                .isTrue();
        assertThat(world.claim("thief").status().readyToUse()).isFalse();
        assertThat(world.errorOf(world.claim("thief"))).contains("is not for this BucketClaim");
        assertThat(world.driver.asked(DriverGetExistingBucketRequest.class)).hasSize(1);
        assertThat(world.driver.asked(DriverCreateBucketRequest.class)).isEmpty();
    }
}
