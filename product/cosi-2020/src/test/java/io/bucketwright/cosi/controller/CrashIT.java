package io.bucketwright.cosi.controller;

import static org.assertj.core.api.Assertions.assertThat;

import io.bucketwright.api.cosi.BucketAccessRequest;
import io.bucketwright.api.cosi.status.BucketAccessPhase;
import io.bucketwright.api.cosi.status.BucketAccessRequestPhase;
import io.bucketwright.api.cosi.status.BucketRequestPhase;
import io.bucketwright.runtime.engine.ClientOptions;
import io.bucketwright.runtime.engine.ControllerProcess;
import io.bucketwright.testing.ApiUser;
import io.bucketwright.testing.CrashLoop;
import io.bucketwright.testing.CrashingClient;
import io.bucketwright.testing.CrashingClient.Moment;
import io.bucketwright.testing.Eventually;
import io.bucketwright.testing.OnCluster;
import io.bucketwright.testing.TestCluster;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A process that crashes at each of its writes; the next one finds everything it needs in the cluster. The controller
 * serves the whole cluster, so the runs are not parallel. What each of them bound remains until the end: objects at rest
 * cost no write.
 */
@OnCluster(own = true)
@Order(1)
class CrashIT {

    @ParameterizedTest
    @EnumSource(Moment.class)
    void afterACrashAtAnyWriteOfBindingTheNextProcessBindsAndNothingIsCreatedTwice(Moment moment, TestCluster cluster)
            throws InterruptedException {
        ApiUser user = cluster.user("cosi");
        try (ControllerFixture bench = new ControllerFixture(cluster)) {
            bench.bucketClass();
            bench.accessClass();
            int crashes = CrashLoop.untilNothingFiresInOrder(write -> {
                boolean crashed =
                        crashes(bench, user, moment, write, () -> create(bench, write), () -> isBound(bench, write));
                try (ControllerProcess _ = bench.controller(user)) {
                    Eventually.await("bound").until(() -> isBound(bench, write));
                }
                assertThat(bench.opens("viewer-" + write, "viewer-" + write)).isTrue();
                assertRemaining(bench, write);
                return crashed;
            });
            // Nine writes, and the events about three of the objects.
            assertThat(crashes).isBetween(9, 12);
            for (int write = 1; write <= crashes + 1; write++) {
                delete(bench, write);
            }
            try (ControllerProcess _ = bench.controller(user)) {
                for (int write = 1; write <= crashes + 1; write++) {
                    awaitDeleted(bench, write);
                }
                assertRemaining(bench, 0);
            }
        }
    }

    @ParameterizedTest
    @EnumSource(Moment.class)
    void afterACrashAtAnyWriteOfDeletionTheNextProcessFinishesAndNothingIsLeft(Moment moment, TestCluster cluster)
            throws InterruptedException {
        ApiUser user = cluster.user("cosi");
        try (ControllerFixture bench = new ControllerFixture(cluster)) {
            bench.bucketClass();
            bench.accessClass();
            try (ControllerProcess _ = bench.controller(user)) {
                create(bench, 1);
                Eventually.await("bound").until(() -> isBound(bench, 1));
            }
            int crashes = CrashLoop.untilNothingFiresInOrder(write -> {
                boolean crashed = crashes(
                        bench,
                        user,
                        moment,
                        write,
                        () -> delete(bench, write),
                        () -> bench.request("photos-" + write) == null);
                try (ControllerProcess _ = bench.controller(user)) {
                    awaitDeleted(bench, write);
                    assertRemaining(bench, 0);
                    if (crashed) {
                        create(bench, write + 1);
                        Eventually.await("bound").until(() -> isBound(bench, write + 1));
                    }
                }
                return crashed;
            });
            // Nine writes, and the events about two of the objects.
            assertThat(crashes).isBetween(9, 12);
        }
    }

    /** Runs a process that crashes at that write; returns false if it finishes with fewer writes. */
    private static boolean crashes(
            ControllerFixture bench, ApiUser user, Moment moment, int write, Runnable flow, BooleanSupplier finished) {
        CrashingClient crash = CrashingClient.atWrite(write, moment);
        ControllerProcess process = bench.controller(user, builder -> ClientOptions.http(builder, crash::wrap));
        flow.run();
        Eventually.await("a crash at write " + write + " or the end")
                .until(() -> crash.died() || finished.getAsBoolean());
        if (crash.died()) {
            // It cannot send anything, and would wait two seconds for its last events.
            Thread.startVirtualThread(process::close);
        } else {
            process.close();
        }
        return crash.died();
    }

    private static void create(ControllerFixture bench, int run) {
        bench.newBucket("photos-" + run, bench.namespace() + "-class");
        bench.access("viewer-" + run, "photos-" + run, bench.namespace() + "-access");
    }

    private static void delete(ControllerFixture bench, int run) {
        bench.deleteRequest("photos-" + run);
        bench.deleteAccess("viewer-" + run);
    }

    private static boolean isBound(ControllerFixture bench, int run) {
        BucketAccessRequest access = ControllerFixture.existing(bench.accessRequest("viewer-" + run));
        return ControllerFixture.existing(bench.request("photos-" + run)).phase() == BucketRequestPhase.BOUND
                && access.phase() == BucketAccessRequestPhase.BOUND
                && Optional.ofNullable(bench.accessNamed(access.getSpec().bucketAccessName()))
                        .flatMap(found -> found.phase())
                        .filter(BucketAccessPhase.BOUND::equals)
                        .isPresent();
    }

    private static void awaitDeleted(ControllerFixture bench, int run) {
        bench.awaitAccessDeleted("viewer-" + run);
        bench.awaitRequestDeleted("photos-" + run);
        Eventually.await("the deletion of the Secret").until(() -> bench.secret("viewer-" + run) == null);
    }

    private static void assertRemaining(ControllerFixture bench, int number) {
        assertThat(bench.buckets()).hasSize(number);
        assertThat(bench.accesses()).hasSize(number);
        assertThat(bench.sidecar.buckets).hasSize(number);
        assertThat(bench.sidecar.accounts).hasSize(number);
    }
}
