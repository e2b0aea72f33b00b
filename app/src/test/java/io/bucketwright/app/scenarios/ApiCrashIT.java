package io.bucketwright.app.scenarios;

import static org.assertj.core.api.Assertions.assertThat;

import io.bucketwright.api.ObjectBucketClaim;
import io.bucketwright.buckets.BucketProvisioner;
import io.bucketwright.runtime.engine.ControllerProcess;
import io.bucketwright.testing.ApiUser;
import io.bucketwright.testing.CrashLoop;
import io.bucketwright.testing.CrashingClient;
import io.bucketwright.testing.CrashingClient.Moment;
import io.bucketwright.testing.OnCluster;
import io.bucketwright.testing.TestCluster;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import software.amazon.awssdk.core.sync.RequestBody;

/** A process that crashes at each of its writes while it changes a bound claim, on the real store; the next one finishes. */
@OnCluster
@Execution(ExecutionMode.CONCURRENT)
class ApiCrashIT {

    @TempDir
    private Path temporary;

    @ParameterizedTest
    @EnumSource(Moment.class)
    void afterACrashAtAnyWriteOfARotationTheKeysAreNewAndThereIsOneOfThem(Moment moment, TestCluster cluster)
            throws InterruptedException {
        String at = Instant.now().minusSeconds(5).toString();
        try (Scenario scenario = Scenario.of(cluster, temporary)) {
            Map<String, Map<String, String>> old = new ConcurrentHashMap<>();
            int crashes = crashesOf(new Flow(
                    scenario,
                    cluster.user("buckets"),
                    moment,
                    Map.of("rotationOverlap", "0s"),
                    name -> {
                        old.put(name, scenario.keys(name));
                        scenario.rotate(name, at);
                    },
                    name -> !scenario.keys(name).equals(old.getOrDefault(name, Map.of()))
                            && scenario.isBound(name)
                            && keys(scenario, name) == 1
                            && scenario.isRotated(name, at)));
            assertThat(crashes).isGreaterThanOrEqualTo(3);
            scenario.assertAllWork();
            assertThat(scenario.claims()).allSatisfy(claim -> {
                String name = claim.getMetadata().getName();
                assertThat(StoreView.works(scenario.config(name), old.getOrDefault(name, Map.of())))
                        .as("the old key is revoked")
                        .isFalse();
            });
        }
    }

    @ParameterizedTest
    @EnumSource(Moment.class)
    void afterACrashAtAnyWriteOfAnOptionChangeTheBucketHasTheOption(Moment moment, TestCluster cluster)
            throws InterruptedException {
        try (Scenario scenario = Scenario.of(cluster, temporary)) {
            int crashes = crashesOf(new Flow(
                    scenario,
                    cluster.user("buckets"),
                    moment,
                    Map.of("allowedOptions", "versioning"),
                    scenario::setVersioned,
                    name -> scenario.isBound(name)
                            && scenario.isUpToDate(name)
                            && scenario.store()
                                    .versioningOf(scenario.bucket(name))
                                    .equals("Enabled")));
            assertThat(crashes).isGreaterThanOrEqualTo(3);
            scenario.assertAllWork();
        }
    }

    @ParameterizedTest
    @EnumSource(Moment.class)
    void afterACrashAtAnyWriteOfAnErasureTheBucketIsEmptyAndReleasedAndNobodyHasAccess(
            Moment moment, TestCluster cluster) throws InterruptedException {
        try (Scenario scenario = Scenario.of(cluster, temporary)) {
            Map<String, String> uids = new ConcurrentHashMap<>();
            int crashes = crashesOf(new Flow(
                    scenario,
                    cluster.user("buckets"),
                    moment,
                    Map.of("reclaimPolicy", "Erase"),
                    name -> {
                        ObjectBucketClaim claim = scenario.get(name);
                        String bucket = claim.getSpec().bucket().orElseThrow();
                        uids.put(bucket, claim.getMetadata().getUid());
                        scenario.store()
                                .administrator()
                                .putObject(it -> it.bucket(bucket).key("data"), RequestBody.fromString("all of it"));
                        scenario.at(name).delete();
                    },
                    scenario::isDeleted));
            assertThat(crashes).isGreaterThanOrEqualTo(8);
            assertThat(scenario.newUsers()).isEmpty();
            assertThat(scenario.newBuckets()).containsExactlyInAnyOrderElementsOf(uids.keySet());
            assertThat(uids).allSatisfy((bucket, uid) -> {
                assertThat(scenario.store().tagsOf(bucket)).containsEntry("bucketwright.io/released", uid);
                assertThat(scenario.store().objects(bucket)).isZero();
                scenario.store().administrator().deleteBucket(it -> it.bucket(bucket));
            });
        }
    }

    /**
     * A change to a bound claim, with one crash in it.
     *
     * @param change what the tenant does to the claim of that name
     * @param isDone whether the change has arrived everywhere
     */
    private record Flow(
            Scenario scenario,
            ApiUser user,
            Moment moment,
            Map<String, String> parameters,
            Consumer<String> change,
            Predicate<String> isDone) {

        /** Whether the process crashed at that write. */
        boolean crashesAt(int write) {
            String name = "mine-" + write;
            String provisioner = scenario.provisioner() + "-" + write;
            String storageClass = scenario.storageClass("c" + write, scenario.s3Parameters(parameters), provisioner);
            try (ControllerProcess _ = start(provisioner, builder -> builder)) {
                scenario.claim(name, Scenario.newBucket(storageClass));
                scenario.awaitBound(name);
            }
            CrashingClient crash = CrashingClient.atWrite(write, moment);
            try (ControllerProcess _ = start(provisioner, builder -> builder.http(crash::wrap))) {
                change.accept(name);
                Scenario.await(name + ": crash or done").until(() -> crash.died() || isDone.test(name));
            }
            try (ControllerProcess _ = start(provisioner, builder -> builder)) {
                Scenario.await(name + ": done").until(() -> isDone.test(name));
            }
            // Again after the last process has stopped: the state it left is final.
            assertThat(isDone.test(name)).isTrue();
            return crash.died();
        }

        private ControllerProcess start(String provisioner, UnaryOperator<BucketProvisioner.Builder> more) {
            return scenario.provisioner(
                    user, provisioner, builder -> more.apply(builder.namespace(scenario.namespace())));
        }
    }

    private static int crashesOf(Flow flow) throws InterruptedException {
        return CrashLoop.untilNothingFires(flow::crashesAt);
    }

    private static int keys(Scenario scenario, String name) {
        return scenario.store().keysOf("bw-" + scenario.get(name).getMetadata().getUid());
    }
}
