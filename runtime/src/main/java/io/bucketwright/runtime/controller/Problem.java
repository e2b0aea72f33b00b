package io.bucketwright.runtime.controller;

import io.bucketwright.runtime.client.ApiError;
import io.bucketwright.runtime.objects.SafeText;

/**
 * Why an object cannot be reconciled, as its owner reads it in a condition or an event.
 *
 * @param reason one word in CamelCase, for machines
 * @param message what failed, on which object, and what to do, for people; contains no secret
 */
public record Problem(String reason, String message, Recovery recovery) {

    public static Problem retryable(String reason, String message) {
        return new Problem(reason, message, Recovery.RETRY);
    }

    public static Problem requiresUnwatchedChange(String reason, String message) {
        return new Problem(reason, message, Recovery.UNWATCHED_CHANGE);
    }

    public static Problem requiresChange(String reason, String message) {
        return new Problem(reason, message, Recovery.CHANGE);
    }

    /** An error of the API server. Permissions, quotas and admission policies change without a watch event of the object. */
    public static Problem of(ApiError error, String reason) {
        Recovery recovery = switch (error) {
            case ApiError.Forbidden _ -> Recovery.UNWATCHED_CHANGE;
            case ApiError.Invalid _, ApiError.Terminating _ -> Recovery.CHANGE;
            case ApiError.Conflict _,
                    ApiError.AlreadyExists _,
                    ApiError.NotFound _,
                    ApiError.Throttled _,
                    ApiError.Unavailable _ -> Recovery.RETRY;
        };
        return new Problem(reason, SafeText.line(error.message()), recovery);
    }

    /** Whether the controller tries again by itself. */
    public boolean isRetried() {
        return recovery != Recovery.CHANGE;
    }

    /** How reconciling ends with this problem. */
    public Result result() {
        return isRetried() ? Result.retry(message) : Result.requiresChange(message);
    }
}
