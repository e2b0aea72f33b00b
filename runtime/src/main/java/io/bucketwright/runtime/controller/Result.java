package io.bucketwright.runtime.controller;

import io.bucketwright.runtime.client.ApiError;
import java.time.Duration;

/** How the work on a key ended, and with that, when it is worked on again. An event always brings it back at once. */
public sealed interface Result {

    /** Nothing is left to do until something changes. */
    record Done() implements Result {}

    /** Nothing failed, but time must pass. */
    record RequeueAfter(Duration after) implements Result {
        public RequeueAfter {
            if (after.isNegative()) {
                throw new IllegalArgumentException("A key cannot be worked on again " + after + " from now");
            }
        }
    }

    /** It may work next time: back off, for ever, capped. */
    record Retry(String message) implements Result {}

    /** It will fail until somebody changes something: no retries. */
    record RequiresChange(String message) implements Result {}

    static Result done() {
        return new Done();
    }

    static Result requeueAfter(Duration after) {
        return new RequeueAfter(after);
    }

    static Result retry(String message) {
        return new Retry(message);
    }

    static Result requiresChange(String message) {
        return new RequiresChange(message);
    }

    /** What a refusal of the API server means for the key. */
    static Result of(ApiError error) {
        return switch (error.retry()) {
            case ApiError.Retry.BackOff() -> retry(error.message());
            case ApiError.Retry.After(Duration delay) -> requeueAfter(delay);
            case ApiError.Retry.UntilChange() -> requiresChange(error.message());
        };
    }
}
