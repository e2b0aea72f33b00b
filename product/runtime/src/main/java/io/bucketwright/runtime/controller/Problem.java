package io.bucketwright.runtime.controller;

import io.bucketwright.runtime.ObjectSize;
import io.bucketwright.runtime.client.ApiError;
import io.bucketwright.runtime.objects.SafeText;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.util.Optional;

/**
 * Why an object cannot be reconciled, as its owner reads it in a condition or an event.
 *
 * @param reason one word in CamelCase, for machines
 * @param message what failed, on which object, and what to do, for people; contains no secret
 */
public record Problem(String reason, String message, Recovery recovery) {

    /** The object is too large, or requests more than a controller serves for one object. */
    public static final String TOO_LARGE = "ObjectTooLarge";

    /** The API server rejected a write: a quota, an admission policy, a schema or a missing permission. Fix the cause. */
    public static final String WRITE_REJECTED = "WriteRejected";

    public static Problem retryable(String reason, String message) {
        return new Problem(reason, message, Recovery.RETRY);
    }

    public static Problem requiresUnwatchedChange(String reason, String message) {
        return new Problem(reason, message, Recovery.UNWATCHED_CHANGE);
    }

    public static Problem requiresChange(String reason, String message) {
        return new Problem(reason, message, Recovery.CHANGE);
    }

    /** That the object is too large to be served; empty if it is not. */
    public static Optional<Problem> ofSize(HasMetadata object) {
        return ObjectSize.isTooLarge(object)
                ? Optional.of(requiresChange(
                        TOO_LARGE,
                        "The " + object.getKind() + " is too large: a controller keeps at most "
                                + (ObjectSize.LIMIT >> 10) + " KiB of it in memory. It is served when it is smaller:"
                                + " remove labels or annotations, or shorten its fields."))
                : Optional.empty();
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
