package io.bucketwright.runtime.controller;

import io.bucketwright.runtime.client.ApiError;
import java.time.Duration;

/** The result of reconciling a key, and with that, when it is reconciled again. An event always adds the key at once. */
public sealed interface Result {

    /** Nothing to do until an event. */
    record Done() implements Result {}

    /** Nothing failed, but time must pass. */
    record RequeueAfter(Duration after) implements Result {
        public RequeueAfter {
            if (after.isNegative()) {
                throw new IllegalArgumentException("A key cannot be reconciled again " + after + " from now");
            }
        }
    }

    /** The work is not finished, and something else adds the key again, such as a permit that becomes free. */
    record Pending() implements Result {}

    /** Retryable: back off without limit, with a capped delay. */
    record Retry(String message) implements Result {}

    /** Requires a change: no retries before an event. */
    record RequiresChange(String message) implements Result {}

    static Result done() {
        return new Done();
    }

    static Result requeueAfter(Duration after) {
        return new RequeueAfter(after);
    }

    /**
     * The same for what is left until a time that a timestamp of Kubernetes says. On a node whose clock is behind, more is left
     * than the whole wait: the key is then reconciled again after that.
     */
    static Result requeueAfter(Duration left, Duration longest) {
        return new RequeueAfter(left.compareTo(longest) < 0 ? left : longest);
    }

    static Result pending() {
        return new Pending();
    }

    static Result retry(String message) {
        return new Retry(message);
    }

    static Result requiresChange(String message) {
        return new RequiresChange(message);
    }

    /** What an error of the API server means for the key. */
    static Result of(ApiError error) {
        return switch (error) {
            case ApiError.Throttled throttled -> requeueAfter(throttled.after());
            case ApiError.Terminating _, ApiError.Invalid _ -> requiresChange(error.message());
            case ApiError.Conflict _,
                    ApiError.AlreadyExists _,
                    ApiError.NotFound _,
                    ApiError.Forbidden _,
                    ApiError.Unavailable _ -> retry(error.message());
        };
    }
}
