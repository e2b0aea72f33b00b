package io.bucketwright.runtime.controller;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.bucketwright.runtime.LeadershipLostException;
import io.bucketwright.runtime.ManualLeadership;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntFunction;
import org.junit.jupiter.api.Test;

class LoopReconcilerTest {

    private final List<Integer> acts = new ArrayList<>();
    private final ManualLeadership leadership = new ManualLeadership();

    @Test
    void repeatsUntilNothingIsLeftToDo() throws InterruptedException {
        assertThat(reconcile(5, _ -> Outcome.progress())).isEqualTo(Result.done());
        assertThat(acts).containsExactly(1, 2, 3, 4, 5);
    }

    @Test
    void endsWithTheResultOfAStep() throws InterruptedException {
        Result later = Result.requeueAfter(Duration.ofSeconds(7));
        assertThat(reconcile(100, step -> step == 7 ? Outcome.finish(later) : Outcome.progress()))
                .isEqualTo(later);
        assertThat(acts).hasSize(7);
    }

    @Test
    void aDecisionThatNeverEndsIsAFailureThatNamesItsStepWithoutItsContent() throws InterruptedException {
        record WriteSecret(String password) {
            @Override
            public String toString() {
                throw new AssertionError("the content of a step is secret, and costs time to print: " + password);
            }
        }
        assertThat(new LoopReconciler<String, String, WriteSecret>(
                                leadership,
                                key -> key,
                                _ -> Decision.act(new WriteSecret("hunter2")),
                                _ -> Outcome.progress())
                        .reconcile("k"))
                .isInstanceOfSatisfying(
                        Result.Retry.class,
                        failed -> assertThat(failed.message())
                                .startsWith("Took 64 steps without finishing, the last one WriteSecret;")
                                .doesNotContain("hunter2"));
    }

    @Test
    void whatWasObservedInAnotherTermIsNotActedOn() throws InterruptedException {
        LoopReconciler<String, String, Integer> reconciler = new LoopReconciler<>(
                leadership,
                key -> key,
                _ -> {
                    // The process is stopped here; another one leads meanwhile.
                    leadership.lose();
                    leadership.gainAfterAnotherLeader();
                    return Decision.act(1);
                },
                step -> {
                    acts.add(step);
                    return Outcome.progress();
                });
        assertThatThrownBy(() -> reconciler.reconcile("k")).isInstanceOf(LeadershipLostException.class);
        assertThat(acts).isEmpty();
    }

    @Test
    void requiresLeadershipBeforeEachAct() {
        assertThatThrownBy(() -> reconcile(5, step -> {
                    if (step == 2) {
                        leadership.lose();
                    }
                    return Outcome.progress();
                }))
                .isInstanceOf(LeadershipLostException.class);
        assertThat(acts).containsExactly(1, 2);
    }

    /** Counts up to a goal, one step at a time. */
    private Result reconcile(int goal, IntFunction<Outcome> outcome) throws InterruptedException {
        return new LoopReconciler<String, Integer, Integer>(
                        leadership,
                        _ -> acts.size(),
                        observed -> observed < goal ? Decision.act(observed + 1) : Decision.done(),
                        step -> {
                            acts.add(step);
                            return outcome.apply(step);
                        })
                .reconcile("k");
    }
}
