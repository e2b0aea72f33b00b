package io.bucketwright.runtime.controller;

import static org.assertj.core.api.Assertions.assertThat;

import io.bucketwright.runtime.ManualLeadership;
import io.bucketwright.runtime.ManualTime;
import io.bucketwright.runtime.queue.Backoff;
import java.time.Duration;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class InFlightStateTest {

    private enum Operation {
        GRANT,
        DELETE
    }

    private static final Problem BUSY = Problem.retryable("Busy", "The store is busy.");

    private final ManualTime time = new ManualTime();
    private final ManualLeadership leadership = new ManualLeadership();
    private final InFlightState<String, String> state = new InFlightState<>(
            leadership, "initial", new Backoff(Duration.ofSeconds(1), Duration.ofMinutes(1)), time, new Random(1));

    @Test
    void aKeyHasTheInitialStateUntilItIsUpdatedAndAfterItIsForgotten() {
        assertThat(state.get("a")).isEqualTo("initial");
        state.update("a", old -> old + " changed");
        assertThat(state.get("a")).isEqualTo("initial changed");
        assertThat(state.get("b")).isEqualTo("initial");
        state.forget("a");
        assertThat(state.get("a")).isEqualTo("initial");
    }

    @Test
    void whatWasReportedIsKnownInTheTermAndUntilTheKeyIsForgotten() {
        assertThat(state.report("a", BUSY)).isTrue();
        assertThat(state.report("a", BUSY)).isFalse();
        assertThat(state.reported("a")).contains(BUSY);
        leadership.gainAfterAnotherLeader();
        assertThat(state.reported("a")).isEmpty();
        assertThat(state.report("a", BUSY)).isTrue();
        state.forget("a");
        assertThat(state.report("a", BUSY)).isTrue();
    }

    @Test
    void forgottenKeysTakeNoRoom() {
        state.update("a", _ -> "x");
        state.recordFailure("b", Operation.GRANT, "", BUSY);
        assertThat(state.size()).isEqualTo(2);
        state.forget("a");
        state.forget("b");
        assertThat(state.size()).isZero();
    }

    @Test
    void stepsMayActUntilAnotherProcessHasLed() {
        assertThat(state.remaining("a")).isZero();
        assertThat(state.get("a")).isEqualTo("initial");
        leadership.remaining(Duration.ofSeconds(3));
        assertThat(state.remaining("a")).isEqualTo(Duration.ofSeconds(3));
        leadership.lose();
        assertThat(state.remaining("a")).isZero();
        leadership.gain();
        assertThat(state.remaining("a")).isEqualTo(Duration.ofSeconds(3));
        leadership.gainAfterAnotherLeader();
        assertThat(state.remaining("a")).isZero();
        assertThat(state.get("a")).isEqualTo("initial");
        assertThat(state.remaining("a")).isEqualTo(Duration.ofSeconds(3));
    }

    @Test
    void stateSurvivesALossOfLeadershipWithoutAnotherLeader() {
        state.update("a", _ -> "credentials");
        leadership.lose();
        leadership.gain();
        assertThat(state.get("a")).isEqualTo("credentials");
    }

    @Test
    void stateAndFailuresOfAnEarlierTermAreNotSeen() {
        state.update("a", _ -> "credentials");
        state.recordFailure("a", Operation.GRANT, "", BUSY);
        leadership.lose();
        leadership.gainAfterAnotherLeader();
        assertThat(state.get("a")).isEqualTo("initial");
        assertThat(state.failure("a")).isEmpty();
    }

    @Test
    void aStepThatBeganInAnEarlierTermChangesNothing() {
        assertThat(state.get("a")).isEqualTo("initial");
        // The step calls the store, and meanwhile another process leads for a while.
        leadership.lose();
        leadership.gainAfterAnotherLeader();
        state.update("a", _ -> "revoked credentials");
        state.recordFailure("a", Operation.GRANT, "", BUSY);
        assertThat(state.get("a")).isEqualTo("initial");
        assertThat(state.failure("a")).isEmpty();
        state.update("a", _ -> "new credentials");
        assertThat(state.get("a")).isEqualTo("new credentials");
    }

    @Test
    void keysWhoseAttemptIsRetriedAreKnownUntilItSucceedsOrIsNotRepeated() {
        state.recordFailure("busy", Operation.GRANT, "", BUSY);
        state.recordFailure("wrong", Operation.GRANT, "", Problem.requiresChange("Wrong", "The name is wrong."));
        state.update("fine", _ -> "x");
        assertThat(state.retrying()).containsExactly("busy");
        time.advance(Duration.ofMinutes(5));
        assertThat(state.retrying()).as("the retry is under way").containsExactly("busy");
        time.advance(Duration.ofMinutes(6));
        assertThat(state.retrying()).as("nobody retried it").isEmpty();
        state.recordFailure("busy", Operation.GRANT, "", BUSY);
        assertThat(state.retrying()).containsExactly("busy");
        state.clearFailure("busy");
        assertThat(state.retrying()).isEmpty();
        state.recordFailure("busy", Operation.GRANT, "", BUSY);
        leadership.lose();
        leadership.gainAfterAnotherLeader();
        assertThat(state.retrying()).isEmpty();
    }

    @Test
    void failuresOfOneOperationDoubleTheDelay() {
        FailedAttempt first = state.recordFailure("a", Operation.GRANT, "v1", BUSY);
        FailedAttempt second = state.recordFailure("a", Operation.GRANT, "v2", BUSY);
        assertThat(first.attempts()).isEqualTo(1);
        assertThat(second.attempts()).isEqualTo(2);
        assertThat(first.retryIn()).isBetween(Duration.ofMillis(500), Duration.ofSeconds(1));
        assertThat(second.retryIn()).isBetween(Duration.ofSeconds(1), Duration.ofSeconds(2));
        assertThat(state.failure("a")).contains(second);
        assertThat(state.recordFailure("a", Operation.DELETE, "v2", BUSY).attempts())
                .isEqualTo(1);
    }

    @Test
    void theWaitThatAnotherSystemRequestsIsAddedToTheDelay() {
        FailedAttempt failed = state.recordFailure("a", Operation.GRANT, "v1", BUSY, Duration.ofSeconds(20));
        assertThat(failed.retryIn()).isBetween(Duration.ofMillis(20_500), Duration.ofSeconds(21));
    }

    @Test
    void theWaitThatAnotherSystemRequestsHoldsEveryOperationWhateverItsInputs() {
        FailedAttempt failed = state.recordFailure("a", Operation.GRANT, "v1", BUSY, Duration.ofMinutes(5));
        assertThat(failed.holds()).isTrue();
        assertThat(failed.blocks(Operation.GRANT, "v2")).isFalse();
        // Another failure, a success of another step, or nothing left to do do not end the wait.
        state.recordFailure("a", Operation.DELETE, "v1", Problem.requiresChange("Invalid", "The name is not valid."));
        assertThat(state.failure("a").orElseThrow().holds()).isTrue();
        assertThat(state.failure("a").orElseThrow().result()).isEqualTo(Result.requeueAfter(Duration.ofMinutes(5)));
        state.clearFailure("a");
        assertThat(state.failure("a")).contains(failed);
        state.forget("a");
        assertThat(state.size()).isZero();
        assertThat(state.failure("a")).contains(failed);
        time.advance(Duration.ofSeconds(299));
        assertThat(state.failure("a").orElseThrow().holds()).isTrue();
        assertThat(state.failure("b")).isEmpty();
        time.advance(Duration.ofSeconds(1));
        assertThat(state.failure("a")).isEmpty();
    }

    @Test
    void withoutAWaitNothingIsHeld() {
        FailedAttempt failed = state.recordFailure("a", Operation.GRANT, "v1", BUSY);
        assertThat(failed.holds()).isFalse();
    }

    @Test
    void aClearedFailureLeavesTheState() {
        state.update("a", _ -> "credentials");
        state.recordFailure("a", Operation.GRANT, "", BUSY);
        state.clearFailure("a");
        assertThat(state.failure("a")).isEmpty();
        assertThat(state.get("a")).isEqualTo("credentials");
    }

    @Test
    void aFailedAttemptBlocksTheSameOperationWithTheSameInputsUntilItsTime() {
        FailedAttempt failed = state.recordFailure("a", Operation.GRANT, "v1", BUSY);
        assertThat(failed.blocks(Operation.GRANT, "v1")).isTrue();
        assertThat(failed.blocks(Operation.DELETE, "v1")).isFalse();
        assertThat(failed.blocks(Operation.GRANT, "v2")).isFalse();
        assertThat(failed.result()).isEqualTo(Result.requeueAfter(failed.retryIn()));
        time.advance(failed.retryIn());
        FailedAttempt later = state.failure("a").orElseThrow();
        assertThat(later.blocks(Operation.GRANT, "v1")).isFalse();
        assertThat(later.result()).isEqualTo(Result.requeueAfter(Duration.ZERO));
    }

    /** A machine that booted with a wrong time, which is corrected later. */
    @ParameterizedTest
    @ValueSource(ints = {-2, 2})
    void aClockThatIsSetNeitherBlocksNorRepeatsAnOperation(int hours) {
        state.recordFailure("a", Operation.GRANT, "v1", BUSY, Duration.ofSeconds(20));
        time.setWall(Duration.ofHours(hours));
        FailedAttempt failed = state.failure("a").orElseThrow();
        assertThat(failed.blocks(Operation.GRANT, "v1")).isTrue();
        assertThat(failed.holds()).isTrue();
        assertThat(state.retrying()).containsExactly("a");
        time.advance(Duration.ofSeconds(21));
        FailedAttempt later = state.failure("a").orElseThrow();
        assertThat(later.blocks(Operation.GRANT, "v1")).isFalse();
        assertThat(later.holds()).isFalse();
    }

    @Test
    void aProblemThatRequiresAChangeBlocksForEver() {
        Problem invalid = Problem.requiresChange("Invalid", "The name is not valid.");
        FailedAttempt failed = state.recordFailure("a", "grant", "v1", invalid);
        assertThat(failed.after(Duration.ofDays(365)).blocks("grant", "v1")).isTrue();
        assertThat(failed.blocks("grant", "v2")).isFalse();
        assertThat(failed.result()).isEqualTo(Result.requiresChange("The name is not valid."));
    }
}
