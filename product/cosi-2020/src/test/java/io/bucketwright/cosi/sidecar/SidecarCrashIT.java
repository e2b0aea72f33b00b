package io.bucketwright.cosi.sidecar;

import static org.assertj.core.api.Assertions.assertThat;

import io.bucketwright.api.cosi.Bucket;
import io.bucketwright.api.cosi.BucketAccess;
import io.bucketwright.api.cosi.status.BucketPhase;
import io.bucketwright.runtime.engine.ClientOptions;
import io.bucketwright.runtime.engine.ControllerProcess;
import io.bucketwright.testing.CrashLoop;
import io.bucketwright.testing.CrashingClient;
import io.bucketwright.testing.CrashingClient.Moment;
import io.bucketwright.testing.OnCluster;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The sidecar crashes at each of its writes and after each call to the driver; the next one finishes the work. */
@OnCluster
@Execution(ExecutionMode.CONCURRENT)
class SidecarCrashIT extends SidecarTest {

    /** Field defects 1.4, number 9 and 6: what the driver has done is neither forgotten nor repeated. */
    @ParameterizedTest
    @EnumSource(Moment.class)
    void provisionsOnceAfterACrashAtAnyWrite(Moment moment) throws Exception {
        // The Bucket's protocol, the Secret and the Bucket's status.
        assertThat(CrashLoop.untilNothingFires(write -> provisions(write, _ -> CrashingClient.atWrite(write, moment))))
                .isEqualTo(3);
    }

    @Test
    void provisionsOnceAfterACrashBehindAnyCall() throws Exception {
        assertThat(CrashLoop.untilNothingFires(call -> provisions(call, driver -> driver.crashAfterCall(call))))
                .isEqualTo(2);
    }

    @ParameterizedTest
    @EnumSource(Moment.class)
    void deletesEverythingAfterACrashAtAnyWrite(Moment moment) throws Exception {
        // Secret (delete, finalizer), BucketAccess's finalizer, Bucket's status (Deleting, Deleted).
        assertThat(CrashLoop.untilNothingFires(write -> deletes(write, _ -> CrashingClient.atWrite(write, moment))))
                .isEqualTo(5);
    }

    @Test
    void deletesEverythingAfterACrashBehindAnyCall() throws Exception {
        assertThat(CrashLoop.untilNothingFires(call -> deletes(call, driver -> driver.crashAfterCall(call))))
                .isEqualTo(2);
    }

    private boolean provisions(int number, Function<ScriptedDriver, CrashingClient> fault) {
        try (SidecarFixture run = new SidecarFixture(cluster, user, "d" + number)) {
            CrashingClient crash = fault.apply(run.driver);
            ControllerProcess first = run.sidecar(user, builder -> ClientOptions.http(builder, crash::wrap));
            Bucket bucket = run.bucket("photos");
            BucketAccess access = run.access("photos", bucket);
            SidecarFixture.await("crash " + number + " or access")
                    .until(() -> crash.died() || run.secretOf(access) != null);
            if (run.secretOf(access) != null) {
                run.bind(bucket, "a:b/c");
            }
            SidecarFixture.await("crash " + number + " or bound")
                    .until(() -> crash.died()
                            || (run.require(bucket).phase() == BucketPhase.BOUND && run.secretOf(access) != null));
            boolean died = crash.died();
            first.close();
            run.driver.afterEffect(() -> {});
            run.sidecar();
            run.awaitGranted(access);
            run.bind(bucket, "a:b/c");
            run.awaitPhase(bucket, BucketPhase.BOUND);
            run.awaitSettled();
            assertThat(run.driver.buckets)
                    .containsOnlyKeys(run.require(bucket).getSpec().protocol().bucketName());
            assertThat(run.driver.accounts).containsOnlyKeys(access.account()).containsValue(run.keyOf(access));
            assertThat(run.messageOf(access)).isEmpty();
            return died;
        }
    }

    private boolean deletes(int number, Function<ScriptedDriver, CrashingClient> fault) {
        try (SidecarFixture run = new SidecarFixture(cluster, user, "d" + number)) {
            Bucket bucket = run.bucket("photos");
            BucketAccess access = run.access("photos", bucket);
            try (ControllerProcess _ = run.sidecar()) {
                run.awaitGranted(access);
                run.bind(bucket, "a:b/c");
                run.awaitPhase(bucket, BucketPhase.BOUND);
            }
            CrashingClient crash = fault.apply(run.driver);
            // Before the process starts: a watch that shows the deletion of the bucket before another one shows that of
            // the access makes the process report that the bucket is in use.
            run.bind(bucket);
            run.delete(access);
            run.delete(bucket);
            ControllerProcess first = run.sidecar(user, builder -> ClientOptions.http(builder, crash::wrap));
            SidecarFixture.await("crash " + number + " or deletion")
                    .until(() -> crash.died() || run.require(bucket).phase() == BucketPhase.DELETED);
            boolean died = crash.died();
            first.close();
            run.driver.afterEffect(() -> {});
            run.sidecar();
            run.awaitRevoked(access);
            run.awaitPhase(bucket, BucketPhase.DELETED);
            assertThat(run.driver.buckets).isEmpty();
            assertThat(run.driver.accounts).isEmpty();
            return died;
        }
    }
}
