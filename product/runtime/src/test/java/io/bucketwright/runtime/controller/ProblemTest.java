package io.bucketwright.runtime.controller;

import static org.assertj.core.api.Assertions.assertThat;

import io.bucketwright.runtime.client.ApiError;
import java.time.Duration;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

final class ProblemTest {

    private static final Duration DELAY = Duration.ofSeconds(1);

    static Stream<Arguments> errors() {
        return Stream.of(
                Arguments.of(new ApiError.Forbidden("m"), Recovery.UNWATCHED_CHANGE, Result.retry("m")),
                Arguments.of(new ApiError.Invalid("m"), Recovery.CHANGE, Result.requiresChange("m")),
                Arguments.of(new ApiError.Terminating("m"), Recovery.CHANGE, Result.requiresChange("m")),
                Arguments.of(new ApiError.Conflict("m"), Recovery.RETRY, Result.retry("m")),
                Arguments.of(new ApiError.AlreadyExists("m"), Recovery.RETRY, Result.retry("m")),
                Arguments.of(new ApiError.NotFound("m"), Recovery.RETRY, Result.retry("m")),
                Arguments.of(new ApiError.Throttled("m", DELAY), Recovery.RETRY, Result.requeueAfter(DELAY)),
                Arguments.of(new ApiError.Unavailable("m"), Recovery.RETRY, Result.retry("m")));
    }

    @ParameterizedTest
    @MethodSource("errors")
    void anErrorOfTheApiServerHasItsRecoveryAndResult(ApiError error, Recovery recovery, Result result) {
        assertThat(Problem.of(error, "Failed")).isEqualTo(new Problem("Failed", "m", recovery));
        assertThat(Result.of(error)).isEqualTo(result);
    }

    @Test
    void theMessageOfAnErrorIsOneSafeLine() {
        assertThat(Problem.of(new ApiError.Invalid("a\n\u202eb"), "Failed").message())
                .isEqualTo("a b");
    }

    @Test
    void onlyAProblemThatRequiresAWatchedChangeIsNotRetried() {
        assertThat(Problem.retryable("R", "m").result()).isEqualTo(Result.retry("m"));
        assertThat(Problem.requiresUnwatchedChange("R", "m").result()).isEqualTo(Result.retry("m"));
        assertThat(Problem.requiresChange("R", "m").result()).isEqualTo(Result.requiresChange("m"));
    }
}
