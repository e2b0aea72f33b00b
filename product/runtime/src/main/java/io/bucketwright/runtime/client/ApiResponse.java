package io.bucketwright.runtime.client;

import io.bucketwright.runtime.json.JsonCodec;
import io.fabric8.kubernetes.api.model.Status;
import io.fabric8.kubernetes.api.model.StatusCause;
import io.fabric8.kubernetes.api.model.StatusDetails;
import io.fabric8.kubernetes.client.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * What the API server answered.
 *
 * @param retryAfter how long the server requests to wait, zero if it does not
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
record ApiResponse(int code, byte[] body, Duration retryAfter) {

    /** Without Retry-After: long enough for the server to recover a little, short enough to be no outage. */
    private static final Duration DEFAULT_DELAY = Duration.ofSeconds(1);

    static ApiResponse of(HttpResponse<?> response, byte[] body) {
        return of(response.code(), body, Objects.requireNonNullElse(response.header("Retry-After"), ""));
    }

    static ApiResponse of(int code, byte[] body, String retryAfter) {
        return new ApiResponse(code, body, seconds(retryAfter));
    }

    /** The body, for messages. */
    String text() {
        return new String(body, StandardCharsets.UTF_8).strip();
    }

    boolean ok() {
        return code >= 200 && code < 300;
    }

    /** What went wrong with the request that {@code what} describes. */
    ApiError error(String what, JsonCodec json) {
        Optional<Status> status = status(json);
        String reason = status.map(Status::getReason).orElse("");
        String message = what + ": the API server answered " + code + " "
                + status.map(Status::getMessage).orElseGet(this::text);
        if (isDenied(message)) {
            return new ApiError.Forbidden(message);
        }
        return switch (code) {
            case 404, 410 -> new ApiError.NotFound(message);
            case 409 ->
                reason.equals("AlreadyExists") ? new ApiError.AlreadyExists(message) : new ApiError.Conflict(message);
            case 401, 403 ->
                isTerminating(status) ? new ApiError.Terminating(message) : new ApiError.Forbidden(message);
            case 429 -> new ApiError.Throttled(message, retryAfter.isPositive() ? retryAfter : DEFAULT_DELAY);
            // Not the request is wrong, it arrived too slowly.
            case 408 -> unavailable(message);
            // A patch whose test failed, or whose path is not there, differs from an invalid object by naming no
            // field.
            case 422 -> causes(status).isEmpty() ? new ApiError.Conflict(message) : new ApiError.Invalid(message);
            default -> code >= 500 ? unavailable(message) : new ApiError.Invalid(message);
        };
    }

    /** Whether a webhook or an admission policy denied the request, with a code of its own choice below 500. */
    private boolean isDenied(String message) {
        return (code == 400 || code == 422)
                && (message.contains("denied the request") || message.contains("denied request"));
    }

    private ApiError unavailable(String message) {
        return retryAfter.isPositive()
                ? new ApiError.Throttled(message, retryAfter)
                : new ApiError.Unavailable(message);
    }

    private static boolean isTerminating(Optional<Status> status) {
        return causes(status).stream().anyMatch(cause -> "NamespaceTerminating".equals(cause.getReason()));
    }

    private static List<StatusCause> causes(Optional<Status> status) {
        return status.map(Status::getDetails).map(StatusDetails::getCauses).orElse(List.of());
    }

    /** What the server itself says about the error; empty if the answer is from somebody else. */
    Optional<Status> status(JsonCodec json) {
        // Priority and fairness, and proxies in between, answer in plain text.
        return body.length > 0 && body[0] == '{' ? Optional.of(json.decode(body, Status.class)) : Optional.empty();
    }

    private static Duration seconds(String header) {
        try {
            return header.isEmpty() ? Duration.ZERO : Duration.ofSeconds(Math.max(0, Long.parseLong(header.strip())));
        } catch (NumberFormatException e) {
            // The other form HTTP allows, a date; Kubernetes never sends it, and the default does.
            return Duration.ZERO;
        }
    }
}
