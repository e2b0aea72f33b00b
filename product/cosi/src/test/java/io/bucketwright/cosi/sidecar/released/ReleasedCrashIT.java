package io.bucketwright.cosi.sidecar.released;

import static org.assertj.core.api.Assertions.assertThat;

import io.bucketwright.api.objectstorage.BucketClaim;
import io.bucketwright.api.objectstorage.ReleasedBucket;
import io.bucketwright.api.objectstorage.ReleasedBucketAccess;
import io.bucketwright.api.objectstorage.ReleasedNames;
import io.bucketwright.cosi.core.BucketGrants;
import io.bucketwright.cosi.fixture.VendorDriver;
import io.bucketwright.runtime.engine.ClientOptions;
import io.bucketwright.runtime.engine.ControllerProcess;
import io.bucketwright.runtime.objects.Metadata;
import io.bucketwright.store.grants.Grant;
import io.bucketwright.store.grants.Grant.State;
import io.bucketwright.testing.CrashLoop;
import io.bucketwright.testing.CrashingClient;
import io.bucketwright.testing.CrashingClient.Moment;
import io.bucketwright.testing.OnCluster;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The sidecar for released kinds crashes at each of its writes and after each call to the driver; the next one finishes the
 * work. The driver issues ids, makes another account at each grant, and answers with an error for an unknown account.
 */
@OnCluster
@Execution(ExecutionMode.CONCURRENT)
class ReleasedCrashIT extends ReleasedTest {

    @ParameterizedTest
    @EnumSource(Moment.class)
    void provisionsOnceAfterACrashAtAnyWrite(Moment moment) throws Exception {
        // Bucket: finalizers and uid, id, status; claim's status; access: finalizer, ledger twice, Secret, status.
        // Perhaps the event.
        assertThat(CrashLoop.untilNothingFires(write -> provisions(write, _ -> CrashingClient.atWrite(write, moment))))
                .isBetween(9, 10);
    }

    @Test
    void provisionsOnceAfterACrashBehindAnyCall() throws Exception {
        assertThat(CrashLoop.untilNothingFires(call -> provisions(call, driver -> driver.crashAfterCall(call))))
                .isEqualTo(2);
    }

    @ParameterizedTest
    @EnumSource(Moment.class)
    void deletesEverythingAfterACrashAtAnyWrite(Moment moment) throws Exception {
        // Access: deletion, Secret's finalizer, Secret, finalizer. Bucket: ledger, status, claim's finalizer,
        // finalizers.
        assertThat(CrashLoop.untilNothingFires(write -> deletes(write, _ -> CrashingClient.atWrite(write, moment))))
                .isEqualTo(8);
    }

    @Test
    void deletesEverythingAfterACrashBehindAnyCall() throws Exception {
        assertThat(CrashLoop.untilNothingFires(call -> deletes(call, driver -> driver.crashAfterCall(call))))
                .isEqualTo(2);
    }

    @ParameterizedTest
    @EnumSource(Moment.class)
    void rotatesAfterACrashAtAnyWrite(Moment moment) throws Exception {
        // Bucket: name, id; Secret; Bucket: end; status; Bucket: end of the overlap. Perhaps the event.
        assertThat(CrashLoop.untilNothingFires(
                        write -> rotates(write, "0s", _ -> CrashingClient.atWrite(write, moment))))
                .isBetween(6, 7);
    }

    @Test
    void rotatesAfterACrashBehindAnyCall() throws Exception {
        assertThat(CrashLoop.untilNothingFires(call -> rotates(call, "0s", driver -> driver.crashAfterCall(call))))
                .isEqualTo(2);
    }

    @ParameterizedTest
    @EnumSource(Moment.class)
    void anAccessThatIsDeletedDuringARotationLeavesNoAccount(Moment moment) throws Exception {
        assertThat(CrashLoop.untilNothingFires(
                        write -> deletesRotating(write, _ -> CrashingClient.atWrite(write, moment))))
                .isGreaterThanOrEqualTo(4);
    }

    /** The rotation is crashed, and the next process finishes it. */
    private boolean rotates(int number, String overlap, Function<VendorDriver, CrashingClient> fault) {
        try (Rotating run = new Rotating(number, overlap)) {
            boolean died = run.crash(fault);
            run.bench.sidecar(run.driver.endpoint());
            ReleasedFixture.await("revocation of the first account of run " + number)
                    .until(() -> !run.driver.accounts.containsKey("account=1")
                            // A second account whose id nobody knows is the last one: the rotation is given up.
                            || (died
                                    && run.bench.events(run.access).stream()
                                            .anyMatch(event -> event.startsWith("FailedRotateAccess"))));
            // Without an overlap the first account is revoked before the status has the second one.
            ReleasedFixture.await("the status of run " + number)
                    .until(() -> run.driver.accounts.containsKey(
                            run.bench.require(run.access).status().accountID()));
            run.bench.awaitSettled();
            String current = run.bench.require(run.access).status().accountID();
            assertThat(run.bench.infoOf(run.access))
                    .contains("\"accessSecretKey\":\"" + run.driver.accounts.get(current) + "\"");
            // If the process ends between a grant and the write of its id, nobody knows the id.
            assertThat(run.driver.accounts).hasSizeLessThanOrEqualTo(2);
            assertThat(run.driver.accounts.size()).isLessThanOrEqualTo(died ? 2 : 1);
            return died;
        }
    }

    /** The rotation is crashed, and the access is deleted before the next process starts. */
    private boolean deletesRotating(int number, Function<VendorDriver, CrashingClient> fault) {
        try (Rotating run = new Rotating(number, "24h")) {
            boolean died = run.crash(fault);
            // A grant whose answer was not recorded is known by its name only, which this driver does not know.
            boolean unknown = run.driver.accounts.size() == 2
                    && grants(run.bench.bucketOf(run.claim)).stream()
                            .noneMatch(grant -> grant.account().id().equals("account=2"));
            run.bench.delete(run.access);
            run.bench.sidecar(run.driver.endpoint());
            run.bench.awaitDeleted(run.access);
            assertThat(run.driver.accounts.keySet()).isEqualTo(unknown ? Set.of("account=2") : Set.of());
            assertThat(run.bench.secretOf(run.access)).isNull();
            ReleasedFixture.await("the ledger to be empty")
                    .until(() -> grants(run.bench.bucketOf(run.claim)).isEmpty());
            return died;
        }
    }

    /** An access that is granted, and whose rotation is requested. */
    private final class Rotating implements AutoCloseable {

        final int number;
        final VendorDriver driver;
        final ReleasedFixture bench;
        final BucketClaim claim;
        final ReleasedBucketAccess access;

        Rotating(int number, String overlap) {
            this.number = number;
            String name = "d" + number + "." + cluster.namespace();
            driver = new VendorDriver(name);
            bench = new ReleasedFixture(cluster, user, name);
            bench.rotatingClass("c" + number, Map.of(), overlap);
            claim = bench.claim("photos-" + number);
            access = bench.access("photos-" + number, "photos-" + number, "c" + number);
            try (ControllerProcess _ = bench.sidecar(driver.endpoint())) {
                bench.awaitGranted(access);
                bench.awaitSettled();
            }
            bench.rotate(access, "2026-01-01T00:00:00Z");
        }

        /** Runs a sidecar until it dies or has rotated the credentials. */
        boolean crash(Function<VendorDriver, CrashingClient> fault) {
            CrashingClient crash = fault.apply(driver);
            try (ControllerProcess _ =
                    bench.sidecar(driver.endpoint(), builder -> ClientOptions.http(builder, crash::wrap))) {
                ReleasedFixture.await("crash " + number + " or rotation").until(() -> crash.died() || isOver());
            }
            driver.afterEffect(() -> {});
            return crash.died();
        }

        /** With the end of an overlap that is not long, and with the status. */
        private boolean isOver() {
            List<Grant> grants = grants(bench.bucketOf(claim));
            String current = bench.require(access).status().accountID();
            return grants.stream()
                            .anyMatch(grant -> grant.state() == State.PUBLISHED
                                    && !grant.publication().request().isEmpty()
                                    && grant.account().id().equals(current))
                    && grants.stream()
                            .flatMap(grant -> grant.until().stream())
                            .allMatch(end -> end.isAfter(Instant.now().plus(Duration.ofHours(1))));
        }

        @Override
        public void close() {
            bench.close();
            driver.close();
        }
    }

    private boolean provisions(int number, Function<VendorDriver, CrashingClient> fault) {
        String name = "d" + number + "." + cluster.namespace();
        try (VendorDriver driver = new VendorDriver(name);
                ReleasedFixture run = new ReleasedFixture(cluster, user, name)) {
            CrashingClient crash = fault.apply(driver);
            ControllerProcess first =
                    run.sidecar(driver.endpoint(), builder -> ClientOptions.http(builder, crash::wrap));
            run.accessClass("c" + number, name, Map.of());
            BucketClaim claim = run.claim("photos-" + number);
            ReleasedBucketAccess access = run.access("photos-" + number, "photos-" + number, "c" + number);
            ReleasedFixture.await("crash " + number + " or access")
                    .until(() -> crash.died()
                            || (run.require(access).status().accessGranted()
                                    && run.require(claim).status().bucketReady()));
            boolean died = crash.died();
            first.close();
            driver.afterEffect(() -> {});
            run.sidecar(driver.endpoint());
            run.awaitReady(claim);
            ReleasedBucketAccess granted = run.awaitGranted(access);
            run.awaitSettled();
            assertThat(driver.buckets).hasSize(1).containsValue(ReleasedFixture.bucketName(claim));
            String secretKey = driver.accounts.get(granted.status().accountID());
            assertThat(run.infoOf(access)).contains("\"accessSecretKey\":\"" + secretKey + "\"");
            // If the process ends between a grant and the write of its id, nobody knows the id of the first account.
            assertThat(driver.accounts).hasSizeLessThanOrEqualTo(2);
            return died;
        }
    }

    private boolean deletes(int number, Function<VendorDriver, CrashingClient> fault) {
        String name = "d" + number + "." + cluster.namespace();
        try (VendorDriver driver = new VendorDriver(name);
                ReleasedFixture run = new ReleasedFixture(cluster, user, name)) {
            run.accessClass("c" + number, name, Map.of());
            BucketClaim claim = run.claim("photos-" + number);
            ReleasedBucketAccess access = run.access("photos-" + number, "photos-" + number, "c" + number);
            try (ControllerProcess _ = run.sidecar(driver.endpoint())) {
                run.awaitReady(claim);
                run.awaitGranted(access);
                run.awaitSettled();
            }
            CrashingClient crash = fault.apply(driver);
            // Before the process starts: a deletion that comes between a read and a write of the process costs a write.
            run.deleteClaim(claim);
            ControllerProcess first =
                    run.sidecar(driver.endpoint(), builder -> ClientOptions.http(builder, crash::wrap));
            ReleasedFixture.await("crash " + number + " or deletion")
                    .until(() -> crash.died() || !run.exists(run.made(claim)));
            boolean died = crash.died();
            first.close();
            driver.afterEffect(() -> {});
            run.sidecar(driver.endpoint());
            run.awaitDeleted(access);
            run.awaitDeleted(claim);
            run.awaitDeleted(run.made(claim));
            assertThat(run.secretOf(access)).isNull();
            assertThat(driver.buckets).isEmpty();
            assertThat(driver.accounts).isEmpty();
            return died;
        }
    }

    private static List<Grant> grants(ReleasedBucket bucket) {
        return BucketGrants.of(Metadata.annotation(bucket, ReleasedNames.GRANTS))
                .ledger()
                .grants();
    }
}
