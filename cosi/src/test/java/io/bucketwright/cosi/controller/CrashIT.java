package io.bucketwright.cosi.controller;

import static org.assertj.core.api.Assertions.assertThat;

import io.bucketwright.api.cosi.BucketAccessRequest;
import io.bucketwright.api.cosi.status.BucketAccessPhase;
import io.bucketwright.api.cosi.status.BucketAccessRequestPhase;
import io.bucketwright.api.cosi.status.BucketRequestPhase;
import io.bucketwright.runtime.engine.ControllerProcess;
import io.bucketwright.testing.ApiUser;
import io.bucketwright.testing.CrashingClient;
import io.bucketwright.testing.CrashingClient.Moment;
import io.bucketwright.testing.Eventually;
import io.bucketwright.testing.OnCluster;
import io.bucketwright.testing.TestCluster;
import java.util.Optional;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A process that dies at each of its writes; the next one finds everything it needs in the cluster. */
@OnCluster(own = true)
class CrashIT {

    @ParameterizedTest
    @EnumSource(Moment.class)
    void afterADeathAtAnyWriteOfBindingTheNextProcessBindsAndNothingIsMadeTwice(Moment moment, TestCluster cluster) {
        ApiUser user = cluster.user("cosi");
        try (Bench bench = new Bench(cluster)) {
            String bucketClass = bench.bucketClass();
            String accessClass = bench.accessClass();
            int crashes = 0;
            boolean died = true;
            while (died) {
                CrashingClient crash = CrashingClient.atWrite(crashes + 1, moment);
                String request = "photos-" + crashes;
                String access = "viewer-" + crashes;
                ControllerProcess crashing = bench.controller(user, builder -> builder.http(crash::wrap));
                bench.newBucket(request, bucketClass);
                bench.access(access, request, accessClass);
                Eventually.await("a crash at write " + (crashes + 1) + " or bound")
                        .until(() -> crash.died() || isBound(bench, request, access));
                crashing.close();
                died = crash.died();
                try (ControllerProcess _ = bench.controller(user)) {
                    Eventually.await("bound").until(() -> isBound(bench, request, access));
                    assertThat(bench.opens(access, access)).isTrue();
                    assertThat(bench.buckets()).hasSize(1);
                    assertThat(bench.accesses()).hasSize(1);
                    assertThat(bench.sidecar.buckets).hasSize(1);
                    assertThat(bench.sidecar.accounts).hasSize(1);
                    bench.deleteAccess(access);
                    bench.deleteRequest(request);
                    awaitNothing(bench, request, access);
                }
                crashes += died ? 1 : 0;
            }
            // Nine writes, and the events about three of the objects.
            assertThat(crashes).isBetween(9, 12);
        }
    }

    @ParameterizedTest
    @EnumSource(Moment.class)
    void afterADeathAtAnyWriteOfDeletionTheNextProcessFinishesAndNothingIsLeft(Moment moment, TestCluster cluster) {
        ApiUser user = cluster.user("cosi");
        try (Bench bench = new Bench(cluster)) {
            String bucketClass = bench.bucketClass();
            String accessClass = bench.accessClass();
            int crashes = 0;
            boolean died = true;
            while (died) {
                String request = "photos-" + crashes;
                String access = "viewer-" + crashes;
                try (ControllerProcess _ = bench.controller(user)) {
                    bench.newBucket(request, bucketClass);
                    bench.access(access, request, accessClass);
                    Eventually.await("bound").until(() -> isBound(bench, request, access));
                }
                CrashingClient crash = CrashingClient.atWrite(crashes + 1, moment);
                ControllerProcess crashing = bench.controller(user, builder -> builder.http(crash::wrap));
                bench.deleteRequest(request);
                bench.deleteAccess(access);
                Eventually.await("a crash at write " + (crashes + 1) + " or gone")
                        .until(() -> crash.died() || bench.request(request) == null);
                crashing.close();
                died = crash.died();
                try (ControllerProcess _ = bench.controller(user)) {
                    awaitNothing(bench, request, access);
                }
                crashes += died ? 1 : 0;
            }
            // Nine writes, and the events about two of the objects.
            assertThat(crashes).isBetween(9, 12);
        }
    }

    private static boolean isBound(Bench bench, String request, String access) {
        BucketAccessRequest asked = Bench.existing(bench.accessRequest(access));
        return Bench.existing(bench.request(request)).phase() == BucketRequestPhase.BOUND
                && asked.phase() == BucketAccessRequestPhase.BOUND
                && Optional.ofNullable(bench.accessNamed(asked.getSpec().bucketAccessName()))
                        .flatMap(it -> it.phase())
                        .filter(BucketAccessPhase.BOUND::equals)
                        .isPresent();
    }

    private static void awaitNothing(Bench bench, String request, String access) {
        bench.awaitAccessDeleted(access);
        bench.awaitRequestDeleted(request);
        Eventually.await("the Secret to go").until(() -> bench.secret(access) == null);
        assertThat(bench.buckets()).isEmpty();
        assertThat(bench.accesses()).isEmpty();
        assertThat(bench.sidecar.buckets).isEmpty();
        assertThat(bench.sidecar.accounts).isEmpty();
    }
}
