package io.bucketwright.app.scenarios;

import static org.assertj.core.api.Assertions.assertThat;

import io.bucketwright.buckets.BucketProvisioner;
import io.bucketwright.runtime.engine.ControllerProcess;
import io.bucketwright.testing.ApiUser;
import io.bucketwright.testing.CrashLoop;
import io.bucketwright.testing.CrashingClient.Moment;
import java.util.Locale;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;

/** One flow, run again and again by processes that crash at their first, second, third call to the store. */
final class StoreCrashes {

    private final Scenario scenario;
    private final ApiUser user;
    private final Map<String, String> parameters;
    private final Map<String, String> otherParameters;

    /** @param otherParameters of a second class, for flows that lead from one to another */
    StoreCrashes(Scenario scenario, ApiUser user, Map<String, String> parameters, Map<String, String> otherParameters) {
        this.scenario = scenario;
        this.user = user;
        this.parameters = parameters;
        this.otherParameters = otherParameters;
    }

    /** One run: a claim with a provisioner, and so with processes, of its own. */
    record Life(CrashingProcess process, String name, String provisioner, String ofClass, String ofOtherClass) {}

    /**
     * Runs the flow with a crash at call 1, 2, 3, … to the store, before and after the effect of the call.
     *
     * @param prepare what happens before the crash can happen
     * @param change what the process is working on when it crashes
     * @param isDone whether the change is complete
     * @return the number of crashes
     */
    int ofFlow(Consumer<Life> prepare, Consumer<Life> change, Predicate<Life> isDone) throws InterruptedException {
        int crashes = 0;
        for (Moment moment : Moment.values()) {
            crashes += CrashLoop.untilNothingFires(call -> crashes(call, moment, prepare, change, isDone));
        }
        return crashes;
    }

    private boolean crashes(
            int call, Moment moment, Consumer<Life> prepare, Consumer<Life> change, Predicate<Life> isDone) {
        CrashingProcess process = new CrashingProcess();
        Life life = life(process, moment.name().substring(0, 1).toLowerCase(Locale.ROOT) + call);
        try (ControllerProcess _ = start(life, builder -> process.equip(builder, "s3"))) {
            prepare.accept(life);
            process.crashAt(call, moment);
            change.accept(life);
            Scenario.await(life.name() + ": crash or done").until(() -> process.died() || isDone.test(life));
        }
        try (ControllerProcess _ = start(life, builder -> builder)) {
            Scenario.await(life.name() + ": done").until(() -> isDone.test(life));
        }
        // Again after the last process has stopped: the state it left is final.
        assertThat(isDone.test(life)).isTrue();
        return process.died();
    }

    private Life life(CrashingProcess process, String suffix) {
        String provisioner = scenario.provisioner() + "-" + suffix;
        return new Life(
                process,
                "mine-" + suffix,
                provisioner,
                scenario.storageClass(suffix, scenario.s3Parameters(parameters), provisioner),
                scenario.storageClass("other-" + suffix, scenario.s3Parameters(otherParameters), provisioner));
    }

    private ControllerProcess start(Life life, UnaryOperator<BucketProvisioner.Builder> more) {
        return scenario.provisioner(
                user, life.provisioner(), builder -> more.apply(builder.namespace(scenario.namespace())));
    }
}
