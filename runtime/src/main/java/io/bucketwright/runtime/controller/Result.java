package io.bucketwright.runtime.controller;

import io.bucketwright.runtime.client.ApiError;
import java.time.Duration;

/** How the work on a key ended, and with that, when it is worked on again. An event always brings it back at once. */
public sealed interface Result {

    /** Nothing is left to do until something changes. */
    record Done() implements Result {}

    /** Nothing failed, but time must pass. */
    record Again(Duration after) implements Result {
        public Again {
            if (after.isNegative()) {
                throw new IllegalArgumentException("A key cannot be worked on again " + after + " from now");
            }
        }
    }

    /** It may work next time: back off, for ever, capped. */
    record FailedForNow(String message) implements Result {}

    /** It will fail until somebody changes something: no retries. */
    record FailedUntilChange(String message) implements Result {}

    static Result done() {
        return new Done();
    }

    static Result again(Duration after) {
        return new Again(after);
    }

    static Result failedForNow(String message) {
        return new FailedForNow(message);
    }

    static Result failedUntilChange(String message) {
        return new FailedUntilChange(message);
    }

    /** What a refusal of the API server means for the key. */
    static Result of(ApiError error) {
        return switch (error.retry()) {
            case ApiError.Retry.BackOff() -> failedForNow(error.message());
            case ApiError.Retry.After(Duration delay) -> again(delay);
            case ApiError.Retry.UntilChange() -> failedUntilChange(error.message());
        };
    }
}
