package io.bucketwright.cosi.sidecar.released;

import static org.assertj.core.api.Assertions.assertThat;

import io.bucketwright.api.objectstorage.BucketClaim;
import io.bucketwright.api.objectstorage.ReleasedBucket;
import io.bucketwright.api.objectstorage.ReleasedBucketStatus;
import io.bucketwright.api.objectstorage.ReleasedNames;
import io.bucketwright.cosi.proto.v1alpha1.DriverCreateBucketRequest;
import io.bucketwright.cosi.proto.v1alpha1.DriverDeleteBucketRequest;
import io.bucketwright.cosi.vendors.Vendor;
import io.bucketwright.runtime.Leadership;
import io.bucketwright.runtime.ManualLeadership;
import io.bucketwright.runtime.testing.InMemoryProcess;
import io.fabric8.kubernetes.api.model.ObjectReference;
import io.grpc.Status;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A bucket is destroyed only if it is the one of its Bucket, and given up only after minutes. */
class BucketDestructionTest {

    @TempDir
    private Path folder = Path.of("/");

    /** Drivers answer the creation of a bucket that exists in three ways, all of them in two. */
    @ParameterizedTest
    @CsvSource({"CEPH, Retain", "CEPH, Delete", "NOOBAA, Retain", "NOOBAA, Delete", "CLOUDIAN, Delete"})
    void aBucketOfSomebodyElseIsNotTakenAndNotDestroyed(Vendor vendor, String policy) {
        try (ReleasedWorld world = new ReleasedWorld(vendor, folder)) {
            world.driver.backend().create("photos");
            AtomicBoolean first = new AtomicBoolean(true);
            world.driver.beforeEffect(request -> {
                if (first.getAndSet(false)) {
                    throw Status.INTERNAL.asRuntimeException();
                }
            });
            world.bucket("photos", new ObjectReference(), policy, "");
            InMemoryProcess sidecar = world.sidecar(Leadership.always());
            world.pass(Duration.ofMinutes(1), sidecar);
            assertThat(world.driver.requests(DriverCreateBucketRequest.class)).hasSizeGreaterThan(1);
            assertThat(world.bucket("photos").status().bucketReady()).isFalse();
            assertThat(ReleasedWorld.events(sidecar))
                    .anyMatch(event -> event.contains("FailedCreateBucket") && event.contains("existingBucketID"));
            InMemoryProcess next = world.sidecar(Leadership.always());
            world.server.delete(ReleasedBucket.class, "", "photos");
            world.pass(Duration.ofMinutes(10), next);
            assertThat(world.hasBucket("photos")).isFalse();
            assertThat(world.driver.requests(DriverDeleteBucketRequest.class)).isEmpty();
            assertThat(ReleasedWorld.events(next))
                    .anyMatch(event -> event.contains("BucketRetained") && event.contains("delete it there"));
            assertThat(world.driver.backend().buckets()).hasSize(1);
        }
    }

    /** The claim of a tenant is bound to a Bucket that its administrator made by hand. */
    @Test
    void theDeletionOfATenantsClaimDoesNotDestroyABucketOfSomebodyElse() {
        try (ReleasedWorld world = new ReleasedWorld(Vendor.NOOBAA, folder)) {
            world.driver.backend().create("photos");
            world.bucket("photos", ReleasedWorld.reference("mine", ""), "Retain", "");
            world.claim("mine", "photos");
            InMemoryProcess sidecar = world.sidecar(Leadership.always());
            InMemoryProcess controller = world.controller();
            world.pass(Duration.ofMinutes(1), controller, sidecar);
            world.server.delete(BucketClaim.class, ReleasedWorld.NAMESPACE, "mine");
            world.pass(Duration.ofMinutes(1), controller, sidecar);
            assertThat(world.server.list(BucketClaim.class)).isEmpty();
            assertThat(world.driver.requests(DriverDeleteBucketRequest.class)).isEmpty();
        }
    }

    /** The answer of the creation is lost, and the claim is deleted: only the policy Delete deletes what may exist. */
    @ParameterizedTest
    @CsvSource({"Delete, 0", "Retain, 1", "delete, 1"})
    void aBucketThatMayHaveBeenCreatedIsDeletedOnlyByThePolicyDelete(String policy, int left) {
        try (ReleasedWorld world = new ReleasedWorld(Vendor.LINODE, folder)) {
            world.bucketClass(policy);
            world.driver.afterEffect(_ -> {
                throw Status.UNAVAILABLE.asRuntimeException();
            });
            world.claim("photos", "");
            InMemoryProcess controller = world.controller();
            InMemoryProcess sidecar = world.sidecar(Leadership.always());
            ReleasedWorld.settle(controller, sidecar);
            assertThat(world.driver.backend().buckets()).hasSize(1);
            world.driver.afterEffect(_ -> {});
            world.server.delete(BucketClaim.class, ReleasedWorld.NAMESPACE, "photos");
            InMemoryProcess next = world.sidecar(Leadership.always());
            world.pass(Duration.ofMinutes(1), controller, next);
            assertThat(world.server.list(ReleasedBucket.class)).isEmpty();
            assertThat(world.server.list(BucketClaim.class)).isEmpty();
            assertThat(world.driver.backend().buckets()).hasSize(left);
            assertThat(ReleasedWorld.events(next).stream().anyMatch(event -> event.contains("delete it there")))
                    .isEqualTo(left == 1);
        }
    }

    /** The reference implementation creates the bucket, and its write of the finalizer and the status fails. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aBucketThatTheReferenceHasCreatedForAClaimIsTaken(boolean withFinalizer) {
        try (ReleasedWorld world = new ReleasedWorld(Vendor.CEPH, folder)) {
            BucketClaim claim = world.claim("photos", "");
            String name = ReleasedWorld.bucketName(claim);
            world.driver.backend().create(name);
            world.bucket(
                    name, ReleasedWorld.reference("photos", claim.getMetadata().getUid()), "Delete", "");
            if (withFinalizer) {
                world.server.edit(
                        ReleasedBucket.class,
                        "",
                        name,
                        bucket -> bucket.getMetadata().setFinalizers(List.of(ReleasedNames.BUCKET_FINALIZER)));
            }
            InMemoryProcess sidecar = world.sidecar(Leadership.always());
            sidecar.settle();
            assertThat(world.bucket(name).status()).isEqualTo(new ReleasedBucketStatus(true, name));
        }
    }

    /** The store is down: drivers answer INTERNAL for that, and for a bucket that does not exist. */
    @ParameterizedTest
    @EnumSource(names = {"CEPH", "SAMPLE"})
    void anOutageOfTheStoreDoesNotCountAsADeletedBucket(Vendor vendor) {
        try (ReleasedWorld world = new ReleasedWorld(vendor, folder)) {
            InMemoryProcess next = crashedInDelete(world, false);
            world.driver.beforeEffect(_ -> {
                throw Status.INTERNAL.asRuntimeException();
            });
            world.pass(Duration.ofMinutes(5), next);
            assertThat(world.server.list(ReleasedBucket.class)).hasSize(1);
            assertThat(world.driver.requests(DriverDeleteBucketRequest.class)).hasSizeGreaterThan(5);
            world.driver.beforeEffect(_ -> {});
            world.pass(Duration.ofMinutes(5), next);
            assertThat(world.server.list(ReleasedBucket.class)).isEmpty();
            assertThat(world.driver.backend().buckets()).isEmpty();
        }
    }

    @Test
    void aBucketThatMayBeDeletedIsGivenUpAfterMinutesWithAnEvent() {
        try (ReleasedWorld world = new ReleasedWorld(Vendor.CEPH, folder)) {
            InMemoryProcess next = crashedInDelete(world, true);
            world.pass(Duration.ofMinutes(5), next);
            assertThat(world.server.list(ReleasedBucket.class)).hasSize(1);
            world.pass(Duration.ofMinutes(10), next);
            assertThat(world.server.list(ReleasedBucket.class)).isEmpty();
            assertThat(ReleasedWorld.events(next))
                    .anyMatch(event -> event.contains("FailedDeleteBucket") && event.contains("delete it there"));
        }
    }

    /** Neither lost credentials nor a driver that is away or slow says anything about the bucket. */
    @ParameterizedTest
    @EnumSource(
            value = Status.Code.class,
            names = {"UNAVAILABLE", "DEADLINE_EXCEEDED", "PERMISSION_DENIED", "UNAUTHENTICATED", "FAILED_PRECONDITION"})
    void otherErrorsNeverCountAsADeletedBucket(Status.Code code) {
        try (ReleasedWorld world = new ReleasedWorld(Vendor.CEPH, folder)) {
            InMemoryProcess next = crashedInDelete(world, false);
            world.driver.beforeEffect(_ -> {
                throw code.toStatus().asRuntimeException();
            });
            world.pass(Duration.ofHours(2), next);
            assertThat(world.server.list(ReleasedBucket.class)).hasSize(1);
        }
    }

    /** This process knows that its own call has failed: no earlier one can have deleted the bucket. */
    @Test
    void theFailureOfTheOnlyCallNeverCountsAsADeletedBucket() {
        try (ReleasedWorld world = new ReleasedWorld(Vendor.CEPH, folder)) {
            InMemoryProcess sidecar = ready(world);
            world.driver.beforeEffect(_ -> {
                throw Status.INTERNAL.asRuntimeException();
            });
            delete(world);
            world.pass(Duration.ofMinutes(30), sidecar);
            assertThat(world.server.list(ReleasedBucket.class)).hasSize(1);
        }
    }

    /** The controller of the reference implementation leaves the finalizer of a claim to the sidecar. */
    @Test
    void aClaimWhoseBucketWasDeletedWhileNobodyLedIsReleasedByTheNextLeader() {
        try (ReleasedWorld world = new ReleasedWorld(Vendor.IN_MEMORY_SAMPLE, folder)) {
            ManualLeadership leadership = new ManualLeadership();
            InMemoryProcess standby = ready(world, leadership);
            leadership.lose();
            String bucket = ReleasedWorld.bucketName(world.claim("photos"));
            world.server.delete(BucketClaim.class, ReleasedWorld.NAMESPACE, "photos");
            world.lose(world.bucket(bucket));
            while (standby.deliverNext()) {
                assertThat(world.hasBucket(bucket)).isFalse();
            }
            InMemoryProcess next = world.sidecar(Leadership.always());
            world.pass(Duration.ofSeconds(20), next);
            assertThat(world.server.list(BucketClaim.class))
                    .as("its Bucket may follow")
                    .hasSize(1);
            world.pass(Duration.ofMinutes(1), next);
            assertThat(world.server.list(BucketClaim.class)).isEmpty();
            assertThat(world.driver.requests(DriverDeleteBucketRequest.class)).isEmpty();
        }
    }

    /** @param effect whether the bucket is deleted before the sidecar crashes */
    private static InMemoryProcess crashedInDelete(ReleasedWorld world, boolean effect) {
        ManualLeadership leadership = new ManualLeadership();
        InMemoryProcess sidecar = ready(world, leadership);
        if (effect) {
            world.driver.afterEffect(_ -> leadership.lose());
        } else {
            world.driver.beforeEffect(_ -> {
                leadership.lose();
                throw Status.UNAVAILABLE.asRuntimeException();
            });
        }
        delete(world);
        ReleasedWorld.runUntilLost(sidecar, leadership);
        world.driver.beforeEffect(_ -> {});
        world.driver.afterEffect(_ -> {});
        return world.sidecar(Leadership.always());
    }

    private static InMemoryProcess ready(ReleasedWorld world) {
        return ready(world, Leadership.always());
    }

    private static InMemoryProcess ready(ReleasedWorld world, Leadership leadership) {
        world.bucketClass("Delete");
        world.claim("photos", "");
        InMemoryProcess sidecar = world.sidecar(leadership);
        InMemoryProcess controller = world.controller();
        ReleasedWorld.settle(controller, sidecar);
        controller.close();
        assertThat(world.claim("photos").status().bucketReady()).isTrue();
        return sidecar;
    }

    private static void delete(ReleasedWorld world) {
        String bucket = ReleasedWorld.bucketName(world.claim("photos"));
        world.server.delete(BucketClaim.class, ReleasedWorld.NAMESPACE, "photos");
        world.server.delete(ReleasedBucket.class, "", bucket);
    }
}
