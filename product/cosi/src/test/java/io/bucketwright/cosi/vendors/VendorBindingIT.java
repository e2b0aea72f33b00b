package io.bucketwright.cosi.vendors;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.Message;
import io.bucketwright.api.objectstorage.BucketClaim;
import io.bucketwright.api.objectstorage.ReleasedBucketAccess;
import io.bucketwright.api.objectstorage.ReleasedBucketSpec;
import io.bucketwright.api.objectstorage.ReleasedNames;
import io.bucketwright.cosi.proto.v1alpha1.DriverCreateBucketRequest;
import io.bucketwright.cosi.proto.v1alpha1.DriverDeleteBucketRequest;
import io.bucketwright.cosi.proto.v1alpha1.DriverGrantBucketAccessRequest;
import io.bucketwright.cosi.proto.v1alpha1.DriverRevokeBucketAccessRequest;
import io.bucketwright.cosi.sidecar.released.ReleasedFixture;
import io.bucketwright.cosi.sidecar.released.ReleasedTest;
import io.bucketwright.runtime.engine.ClientOptions;
import io.bucketwright.testing.CrashingClient;
import io.bucketwright.testing.OnCluster;
import io.grpc.Status;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Set;
import java.util.function.Consumer;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A claim and an access on a stub of each vendor's driver: they bind, survive a crash of the sidecar at every call, and are
 * deleted, with one bucket and one credential. What no sidecar can do with a driver is a line of a switch here, and of the
 * table in docs/cosi-released.md.
 */
@OnCluster
@Execution(ExecutionMode.CONCURRENT)
class VendorBindingIT extends ReleasedTest {

    @TempDir
    private Path folder = Path.of("/");

    @ParameterizedTest
    @EnumSource
    void aClaimAndAnAccessBindAndAreDeletedWithOneCallEach(Vendor vendor) {
        try (Life life = new Life(vendor, "plain")) {
            life.start();
            life.awaitBound();
            life.assertBound(1);
            life.delete();
            life.awaitDeleted();
            life.assertDeleted(0);
            assertThat(life.driver.requests(Message.class)).hasSize(4);
        }
    }

    @ParameterizedTest
    @EnumSource
    void bothSurviveACrashBeforeEveryCall(Vendor vendor) {
        try (Life life = new Life(vendor, "before")) {
            life.crashAt(DriverCreateBucketRequest.class, life.driver::beforeEffect);
            life.crashAt(DriverGrantBucketAccessRequest.class, life.driver::beforeEffect);
            life.start();
            life.awaitBound();
            life.assertBound(1);
            life.bench.stopSidecars();
            life.delete();
            life.crashAt(DriverRevokeBucketAccessRequest.class, life.driver::beforeEffect);
            life.crashAt(DriverDeleteBucketRequest.class, life.driver::beforeEffect);
            life.start();
            life.awaitDeleted();
            life.assertDeleted(0);
        }
    }

    /** The driver has done its work, and nobody gets the answer. */
    @ParameterizedTest
    @EnumSource
    void bothSurviveACrashAfterEveryCall(Vendor vendor) {
        try (Life life = new Life(vendor, "after")) {
            life.crashAt(DriverCreateBucketRequest.class, life.driver::afterEffect);
            if (losesBuckets(vendor)) {
                life.start();
                life.bench.awaitEvent(life.bench.bucketOf(life.claim), "existingBucketID");
                life.bench.stopSidecars();
                life.nameTheBucket();
            }
            life.crashAt(DriverGrantBucketAccessRequest.class, life.driver::afterEffect);
            life.start();
            if (losesAccounts(vendor)) {
                life.bench.awaitEvent(life.access, "Until then no other account is requested");
                life.deleteTheLostAccount();
            }
            life.awaitBound();
            life.assertBound(1 + lostKeys(vendor));
            life.bench.stopSidecars();
            life.delete();
            life.crashAt(DriverRevokeBucketAccessRequest.class, life.driver::afterEffect);
            life.crashAt(DriverDeleteBucketRequest.class, life.driver::afterEffect);
            life.start();
            life.bench.awaitDeleted(life.access);
            if (isGivenUpAfterMinutes(vendor)) {
                life.awaitRepeatedDeletion();
            } else {
                life.awaitDeleted();
            }
            life.assertDeleted(losesKeys(vendor) && !losesAccounts(vendor) ? 1 : 0);
        }
    }

    /** Its answer for a bucket that does not exist is the one of an outage. */
    private static boolean isGivenUpAfterMinutes(Vendor vendor) {
        return vendor.behavior().absentDelete != Status.Code.OK;
    }

    /** Another account gets access, its key is published, and the first one is revoked; or an event says why not. */
    @ParameterizedTest
    @EnumSource
    void aRotationReplacesTheKeyOrSaysThatTheDriverCannot(Vendor vendor) {
        try (Life life = new Life(vendor, "rotate")) {
            life.start();
            life.awaitBound();
            String before = life.bench.infoOf(life.access);
            life.bench.rotate(life.access, "2026-01-01T00:00:00Z");
            if (rotates(vendor)) {
                life.bench.awaitEvent(life.access, "AccessRotated");
                assertThat(life.bench.infoOf(life.access)).isNotEqualTo(before);
                ReleasedFixture.await("revocation of the first account")
                        .until(() -> life.driver
                                        .requests(DriverRevokeBucketAccessRequest.class)
                                        .size()
                                == 1);
            } else {
                life.bench.awaitEvent(
                        life.access, vendor == Vendor.IBM ? "FailedRotateAccess" : "RotationNotSupported");
                assertThat(life.bench.infoOf(life.access)).isEqualTo(before);
                // IBM's answer does not show whether there is a second account, so it is revoked by its name.
                assertThat(life.driver.requests(DriverRevokeBucketAccessRequest.class))
                        .hasSize(vendor == Vendor.IBM ? 1 : 0);
            }
            life.bench.awaitSettled();
            // Tokens of Azure cannot be revoked.
            life.assertBound(vendor == Vendor.AZURE ? 2 : 1);
            life.delete();
            life.awaitDeleted();
            life.assertDeleted(0);
        }
    }

    /** Whether another name gets another key. */
    private static boolean rotates(Vendor vendor) {
        // IBM's knows no other name than that of the BucketAccess.
        return !vendor.hasOneKey() && vendor != Vendor.IBM;
    }

    /** Nobody has used the bucket: the sidecar asks the driver for its id and deletes it. */
    @ParameterizedTest
    @EnumSource
    void aClaimThatIsDeletedAfterACrashLeavesNoBucket(Vendor vendor) {
        try (Life life = new Life(vendor, "unused")) {
            life.crashAt(DriverCreateBucketRequest.class, life.driver::afterEffect);
            life.delete();
            life.start();
            // The access was never granted: it waits for another claim of that name.
            if (vendor == Vendor.HETZNER) {
                life.awaitRepeatedDeletion();
            } else {
                life.bench.awaitDeleted(life.claim);
                life.bench.awaitDeleted(life.bench.made(life.claim));
            }
            // A second create does not return the id, and the name is not the id.
            assertThat(life.driver.backend().buckets())
                    .hasSize(Set.of(Vendor.HETZNER, Vendor.POWERSCALE).contains(vendor) ? 1 : 0);
        }
    }

    @ParameterizedTest
    @EnumSource
    void anAccessThatIsDeletedAfterACrashLeavesNoKey(Vendor vendor) {
        try (Life life = new Life(vendor, "lost")) {
            life.crashAt(DriverGrantBucketAccessRequest.class, life.driver::afterEffect);
            life.bench.delete(life.access);
            life.start();
            life.bench.awaitDeleted(life.access);
            assertThat(life.driver.backend().liveKeys()).hasSize(isFoundByName(vendor) ? 0 : 1);
            life.delete();
            life.awaitDeleted();
            assertThat(life.driver.backend().buckets()).isEmpty();
        }
    }

    /** Whether an account whose id is lost can be revoked by its name, or has no key of its own. */
    private static boolean isFoundByName(Vendor vendor) {
        return !losesKeys(vendor)
                && !Set.of(Vendor.DELL, Vendor.AZURE, Vendor.IBM, Vendor.QUMULO).contains(vendor);
    }

    /** A second create does not return the id, and its error does not contain it. */
    private static boolean losesBuckets(Vendor vendor) {
        return Set.of(Vendor.HETZNER, Vendor.CLOUDIAN, Vendor.POWERSCALE, Vendor.NOOBAA)
                .contains(vendor);
    }

    /** A second grant by the same name fails, and only the lost id ends the first one: an administrator deletes it. */
    private static boolean losesAccounts(Vendor vendor) {
        return Set.of(Vendor.NUTANIX, Vendor.CLOUDIAN).contains(vendor);
    }

    /** Keys that work beside the one in the Secret: nobody has them. */
    private static int lostKeys(Vendor vendor) {
        boolean lost = losesKeys(vendor) && !losesAccounts(vendor);
        return lost || Set.of(Vendor.DELL, Vendor.AZURE).contains(vendor) ? 1 : 0;
    }

    /** Only the lost id ends the first account. */
    private static boolean losesKeys(Vendor vendor) {
        return losesAccounts(vendor)
                || Set.of(Vendor.LINODE, Vendor.VERSITYGW, Vendor.BACKBLAZE, Vendor.GARAGE, Vendor.VAST)
                        .contains(vendor);
    }

    /** A claim and an access, from their creation to their deletion. */
    private final class Life implements AutoCloseable {

        final Vendor vendor;
        final StubVendorDriver driver;
        final ReleasedFixture bench;
        final BucketClaim claim;
        final ReleasedBucketAccess access;

        Life(Vendor vendor, String run) {
            this.vendor = vendor;
            String id = run + "-" + vendor.name().toLowerCase(Locale.ROOT).replace('_', '-');
            String name = id + "." + cluster.namespace();
            this.driver = new StubVendorDriver(vendor, name, folder, new VendorObjects(cluster));
            this.bench = new ReleasedFixture(cluster, user, name);
            bench.rotatingClass(id, vendor.accessParameters(), "0s");
            this.claim = bench.claim(id, vendor.bucketParameters(), "Delete");
            this.access = bench.access(id, id, id);
        }

        void start() {
            bench.sidecar(driver.socket().toString());
        }

        /** Runs a sidecar until its process ends at the first call of this kind. */
        void crashAt(Class<? extends Message> call, Consumer<Consumer<Message>> hook) {
            CrashingClient client = CrashingClient.onDemand();
            driver.beforeEffect(_ -> {
                if (client.died()) {
                    throw Status.UNAVAILABLE.asRuntimeException();
                }
            });
            hook.accept(request -> {
                if (client.died() || call.isInstance(request)) {
                    client.crash();
                    throw Status.UNAVAILABLE.asRuntimeException();
                }
            });
            bench.sidecar(driver.socket().toString(), builder -> ClientOptions.http(builder, client::wrap));
            ReleasedFixture.await("crash at " + call.getSimpleName() + " of " + vendor)
                    .until(client::died);
            bench.stopSidecars();
            driver.beforeEffect(_ -> {});
            driver.afterEffect(_ -> {});
        }

        /** What an administrator does who finds the bucket in the store. */
        void nameTheBucket() {
            String id = driver.backend().buckets().iterator().next();
            cluster.edit(bench.bucketOf(claim), bucket -> {
                bucket.getMetadata().getAnnotations().put(ReleasedNames.DELETE_EXISTING_BUCKET, "true");
                ReleasedBucketSpec spec = bucket.spec();
                bucket.setSpec(new ReleasedBucketSpec(
                        spec.driverName(),
                        spec.bucketClassName(),
                        spec.bucketClaim(),
                        spec.protocols(),
                        spec.parameters(),
                        spec.deletionPolicy(),
                        id));
            });
        }

        /** What an administrator does who finds the account in the store. */
        void deleteTheLostAccount() {
            String name = "ba-" + access.getMetadata().getUid();
            driver.backend().revoke("user:" + name + "/1");
            cluster.edit(
                    bench.bucketOf(claim),
                    bucket -> bucket.getMetadata().getAnnotations().put(ReleasedNames.DELETED_ACCOUNTS, name));
        }

        void awaitBound() {
            bench.awaitReady(claim);
            bench.awaitGranted(access);
        }

        void assertBound(int keys) {
            assertThat(driver.backend().buckets()).hasSize(1);
            assertThat(bench.bucketOf(claim).status().bucketID())
                    .isEqualTo(driver.backend().buckets().iterator().next());
            if (vendor.hasOneKey()) {
                assertThat(driver.backend().liveKeys()).isEmpty();
            } else {
                assertThat(driver.backend().liveKeys())
                        .hasSize(keys)
                        .anySatisfy(key -> assertThat(bench.infoOf(access)).contains('"' + key + '"'));
            }
        }

        void delete() {
            bench.deleteClaim(claim);
        }

        void awaitDeleted() {
            bench.awaitDeleted(access);
            bench.awaitDeleted(claim);
            bench.awaitDeleted(bench.made(claim));
        }

        /** The claim stays until the driver answers, or the bucket is given up. */
        void awaitRepeatedDeletion() {
            ReleasedFixture.await("repeated deletions")
                    .until(() ->
                            driver.requests(DriverDeleteBucketRequest.class).size() > 4);
            assertThat(bench.exists(claim)).isTrue();
        }

        void assertDeleted(int keys) {
            assertThat(bench.secretOf(access)).isNull();
            assertThat(driver.backend().buckets()).isEmpty();
            assertThat(driver.backend().liveKeys()).hasSize(keys);
        }

        @Override
        public void close() {
            bench.close();
            driver.close();
        }
    }
}
