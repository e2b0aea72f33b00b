package io.bucketwright.runtime.controller;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.bucketwright.runtime.Leadership;
import io.bucketwright.runtime.LeadershipLostException;
import io.bucketwright.runtime.ManualLeadership;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class LoopReconcilerTest {

    /** Counts up to a goal, one step at a time. */
    private static final class Counting implements DecisionLoop<String, Integer, Integer> {

        private final int goal;
        private final List<Integer> acts = new ArrayList<>();

        Counting(int goal) {
            this.goal = goal;
        }

        @Override
        public Integer observe(String key) {
            return acts.size();
        }

        @Override
        public Decision<Integer> decide(Integer observed) {
            return observed < goal ? Decision.act(observed + 1) : Decision.done();
        }

        @Override
        public Outcome act(Integer step) {
            acts.add(step);
            return step == 7 ? Outcome.finish(Result.requeueAfter(Duration.ofSeconds(7))) : Outcome.progress();
        }
    }

    @Test
    void goesRoundInPlaceUntilNothingIsLeft() throws InterruptedException {
        Counting loop = new Counting(5);
        assertThat(new LoopReconciler<>(loop, Leadership.always()).reconcile("k"))
                .isEqualTo(Result.done());
        assertThat(loop.acts).containsExactly(1, 2, 3, 4, 5);
    }

    @Test
    void restsWhereAStepMustBeWaitedFor() throws InterruptedException {
        Counting loop = new Counting(100);
        assertThat(new LoopReconciler<>(loop, Leadership.always()).reconcile("k"))
                .isEqualTo(Result.requeueAfter(Duration.ofSeconds(7)));
        assertThat(loop.acts).hasSize(7);
    }

    @Test
    void aDecisionThatNeverEndsBecomesAFailureThatNamesItsStep() throws InterruptedException {
        DecisionLoop<String, String, String> endless = new DecisionLoop<>() {
            @Override
            public String observe(String key) {
                return key;
            }

            @Override
            public Decision<String> decide(String observed) {
                return Decision.act("paint it black");
            }

            @Override
            public Outcome act(String step) {
                return Outcome.progress();
            }
        };
        assertThat(new LoopReconciler<>(endless, Leadership.always()).reconcile("k"))
                .isInstanceOfSatisfying(
                        Result.Retry.class,
                        failed -> assertThat(failed.message()).contains("paint it black"));
    }

    @Test
    void asksForLeadershipBeforeEachAct() {
        Counting loop = new Counting(5);
        ManualLeadership leadership = new ManualLeadership();
        DecisionLoop<String, Integer, Integer> losing = new DecisionLoop<>() {
            @Override
            public Integer observe(String key) {
                return loop.observe(key);
            }

            @Override
            public Decision<Integer> decide(Integer observed) {
                return loop.decide(observed);
            }

            @Override
            public Outcome act(Integer step) {
                if (step == 2) {
                    leadership.lose();
                }
                return loop.act(step);
            }
        };
        assertThatThrownBy(() -> new LoopReconciler<>(losing, leadership).reconcile("k"))
                .isInstanceOf(LeadershipLostException.class);
        assertThat(loop.acts).containsExactly(1, 2);
    }
}
