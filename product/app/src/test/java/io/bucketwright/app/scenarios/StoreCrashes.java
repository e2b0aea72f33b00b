package io.bucketwright.app.scenarios;

import static org.assertj.core.api.Assertions.assertThat;

import io.bucketwright.api.ObjectBucketClaimSpec;
import io.bucketwright.runtime.engine.ControllerProcess;
import io.bucketwright.testing.ApiUser;
import io.bucketwright.testing.CrashLoop;
import io.bucketwright.testing.CrashingClient.Moment;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Predicate;

/**
 * One flow, repeated by processes that crash at their first, second, third call to the store.
 *
 * @param parameters of the class
 * @param moments when they crash
 */
record StoreCrashes(Scenario scenario, Map<String, String> parameters, Set<Moment> moments) {

    /** One run: a claim with a provisioner, and so with processes, of its own. */
    record Life(
            Scenario scenario,
            CrashingProcess process,
            String name,
            String provisioner,
            String ofClass,
            String ofAdoptingClass) {

        ObjectBucketClaimSpec.Builder newBucket() {
            return Scenario.newBucket(ofClass);
        }

        ObjectBucketClaimSpec.Builder adopted(String bucket) {
            return Scenario.bucketNamed(ofAdoptingClass, bucket);
        }

        void bind() {
            bind(name);
        }

        /** Binds a claim and returns its bucket, with one object in it. */
        String bindAndFill() {
            return bindAndFill(name);
        }

        void delete() {
            scenario.at(name).delete();
        }

        /** A bucket whose claim is deleted, with one object in it. */
        String retained() {
            String first = name + "-first";
            String bucket = bindAndFill(first);
            scenario.at(first).delete();
            Scenario.await(first + " to be deleted").until(() -> scenario.isDeleted(first));
            return bucket;
        }

        boolean isBound() {
            return scenario.isBound(name);
        }

        boolean isDeleted() {
            return scenario.isDeleted(name);
        }

        String uid() {
            return scenario.get(name).getMetadata().getUid();
        }

        private void bind(String claim) {
            scenario.bind(claim, newBucket());
        }

        private String bindAndFill(String claim) {
            bind(claim);
            String bucket = scenario.bucket(claim);
            scenario.store().put(bucket, "data", "all of it");
            return bucket;
        }
    }

    /**
     * Runs the flow with a crash at call 1, 2, 3, … to the store, at each moment.
     *
     * @param prepare what happens before the crash can happen
     * @param change what the process is working on when it crashes
     * @param isDone whether the change is complete
     * @return the number of crashes
     */
    int ofFlow(Consumer<Life> prepare, Consumer<Life> change, Predicate<Life> isDone) throws InterruptedException {
        int crashes = 0;
        for (Moment moment : moments) {
            crashes += CrashLoop.untilNothingFires(call -> crashes(call, moment, prepare, change, isDone));
        }
        return crashes;
    }

    private boolean crashes(
            int call, Moment moment, Consumer<Life> prepare, Consumer<Life> change, Predicate<Life> isDone) {
        ApiUser user = scenario.account();
        CrashingProcess process = new CrashingProcess();
        Life life = life(process, moment.name().substring(0, 1).toLowerCase(Locale.ROOT) + call);
        try (ControllerProcess _ =
                scenario.provisioner(user, life.provisioner(), builder -> process.equip(builder, "s3"))) {
            prepare.accept(life);
            process.crashAt(call, moment);
            change.accept(life);
            Scenario.await(life.name() + ": crash or done").until(() -> process.died() || isDone.test(life));
        }
        try (ControllerProcess _ = scenario.provisioner(user, life.provisioner(), builder -> builder)) {
            Scenario.await(life.name() + ": done").until(() -> isDone.test(life));
        }
        // Again after the last process has stopped: the state it left is final.
        assertThat(isDone.test(life)).isTrue();
        return process.died();
    }

    private Life life(CrashingProcess process, String suffix) {
        String provisioner = scenario.provisioner() + "-" + suffix;
        return new Life(
                scenario,
                process,
                "mine-" + suffix,
                provisioner,
                scenario.storageClass(suffix, scenario.s3Parameters(parameters), provisioner),
                scenario.storageClass(
                        "adopting-" + suffix, scenario.s3Parameters(Map.of("adopt", "photos-*")), provisioner));
    }
}
