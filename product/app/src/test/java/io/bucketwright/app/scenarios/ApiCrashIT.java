package io.bucketwright.app.scenarios;

import static org.assertj.core.api.Assertions.assertThat;

import io.bucketwright.api.ObjectBucketClaim;
import io.bucketwright.runtime.engine.ClientOptions;
import io.bucketwright.runtime.engine.ControllerProcess;
import io.bucketwright.testing.ApiUser;
import io.bucketwright.testing.CrashLoop;
import io.bucketwright.testing.CrashingClient;
import io.bucketwright.testing.CrashingClient.Moment;
import java.time.Instant;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A process that crashes at each of its writes while it changes a bound claim, on the real store; the next one finishes. */
@Execution(ExecutionMode.CONCURRENT)
class ApiCrashIT extends ScenarioTestBase {

    @ParameterizedTest
    @EnumSource(Moment.class)
    void afterACrashAtAnyWriteOfARotationTheKeysAreNewAndThereIsOneOfThem(Moment moment) throws InterruptedException {
        String at = Instant.now().minusSeconds(5).toString();
        Map<String, Map<String, String>> old = new ConcurrentHashMap<>();
        int crashes = crashesOf(new Flow(
                scenario,
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

    @ParameterizedTest
    @EnumSource(Moment.class)
    void afterACrashAtAnyWriteOfAnOptionChangeTheBucketHasTheOption(Moment moment) throws InterruptedException {
        int crashes = crashesOf(new Flow(
                scenario,
                moment,
                Map.of("allowedOptions", "versioning"),
                scenario::setVersioned,
                name -> scenario.isBound(name)
                        && scenario.isUpToDate(name)
                        && scenario.store().versioningOf(scenario.bucket(name)).equals("Enabled")));
        assertThat(crashes).isGreaterThanOrEqualTo(3);
        scenario.assertAllWork();
    }

    @ParameterizedTest
    @EnumSource(Moment.class)
    void afterACrashAtAnyWriteOfAnErasureTheBucketIsEmptyAndReleasedAndNobodyHasAccess(Moment moment)
            throws InterruptedException {
        Map<String, String> uids = new ConcurrentHashMap<>();
        int crashes = crashesOf(new Flow(
                scenario,
                moment,
                Map.of("reclaimPolicy", "Erase"),
                name -> {
                    ObjectBucketClaim claim = scenario.get(name);
                    String bucket = claim.getSpec().bucket().orElseThrow();
                    uids.put(bucket, claim.getMetadata().getUid());
                    scenario.store().put(bucket, "data", "all of it");
                    scenario.at(name).delete();
                },
                scenario::isDeleted));
        assertThat(crashes).isGreaterThanOrEqualTo(8);
        assertThat(scenario.newUsers()).isEmpty();
        assertThat(scenario.newBuckets()).containsExactlyInAnyOrderElementsOf(uids.keySet());
        assertThat(uids).allSatisfy((bucket, uid) -> {
            assertThat(scenario.store().tagsOf(bucket)).containsEntry("bucketwright.io/released", uid);
            assertThat(scenario.store().objects(bucket)).isZero();
            scenario.store().delete(bucket);
        });
    }

    /**
     * A change to a bound claim, with one crash in it.
     *
     * @param change what the tenant does to the claim of that name
     * @param isDone whether the change has arrived everywhere
     */
    private record Flow(
            Scenario scenario,
            Moment moment,
            Map<String, String> parameters,
            Consumer<String> change,
            Predicate<String> isDone) {

        /** Whether the process crashed at that write. */
        boolean crashesAt(int write) {
            ApiUser user = scenario.account();
            String name = "mine-" + write;
            String provisioner = scenario.provisioner() + "-" + write;
            String storageClass = scenario.storageClass("c" + write, scenario.s3Parameters(parameters), provisioner);
            try (ControllerProcess _ = scenario.provisioner(user, provisioner, builder -> builder)) {
                scenario.bind(name, Scenario.newBucket(storageClass));
            }
            CrashingClient crash = CrashingClient.atWrite(write, moment);
            try (ControllerProcess _ =
                    scenario.provisioner(user, provisioner, builder -> ClientOptions.http(builder, crash::wrap))) {
                change.accept(name);
                Scenario.await(name + ": crash or done").until(() -> crash.died() || isDone.test(name));
            }
            try (ControllerProcess _ = scenario.provisioner(user, provisioner, builder -> builder)) {
                Scenario.await(name + ": done").until(() -> isDone.test(name));
            }
            // Again after the last process has stopped: the state it left is final.
            assertThat(isDone.test(name)).isTrue();
            return crash.died();
        }
    }

    private static int crashesOf(Flow flow) throws InterruptedException {
        return CrashLoop.untilNothingFires(flow::crashesAt);
    }

    private static int keys(Scenario scenario, String name) {
        return scenario.store().keysOf("bw-" + scenario.get(name).getMetadata().getUid());
    }
}
