package io.bucketwright.store.gcs.rest;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import io.bucketwright.store.errors.InputText;
import io.bucketwright.store.errors.StoreException;
import io.bucketwright.store.errors.StoreException.Denied;
import io.bucketwright.store.errors.StoreException.Invalid;
import io.bucketwright.store.errors.StoreException.NotEmpty;
import io.bucketwright.store.errors.StoreException.NotFound;
import io.bucketwright.store.errors.StoreException.Taken;
import io.bucketwright.store.errors.StoreException.Unavailable;
import io.bucketwright.store.errors.StoreException.Unsupported;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Translates error responses to a {@link StoreException}. Cloud Storage names a reason, IAM a status, the XML API a code;
 * a response without any of them does not come from Google and proves nothing.
 */
public final class ErrorTranslation {

    static final String NOT_GOOGLE =
            " That is not a response of Google Cloud: check that the endpoints in the class are"
                    + " right, with the right scheme, and that a proxy in front of them passes all requests on.";

    private static final int BAD_REQUEST = 400;
    private static final int UNAUTHORIZED = 401;
    private static final int FORBIDDEN = 403;
    private static final int NOT_FOUND = 404;
    private static final int NOT_ALLOWED = 405;
    private static final int TIMEOUT = 408;
    private static final int CONFLICT = 409;
    private static final int PRECONDITION_FAILED = 412;
    private static final int TOO_MANY = 429;
    private static final int SERVER_ERROR = 500;
    private static final int NOT_IMPLEMENTED = 501;

    /** A proxy must not stop a claim for longer with one response. */
    private static final Duration LONGEST_WAIT = Duration.ofMinutes(5);

    private static final Set<String> ABSENT =
            Set.of("notFound", "NOT_FOUND", "NoSuchBucket", "NoSuchKey", "NoSuchUpload");

    private static final Set<String> BUSY = Set.of(
            "rateLimitExceeded",
            "userRateLimitExceeded",
            "RATE_LIMIT_EXCEEDED",
            "RESOURCE_EXHAUSTED",
            "ABORTED",
            "SlowDown",
            "backendError",
            "internalError");

    /** What protects an object from deletion. */
    private static final Set<String> HELD =
            Set.of("retentionPolicyNotMet", "objectUnderActiveHold", "objectUnderRetention");

    /** Not a part of a domain, which the address of a service account contains. */
    private static final Pattern PERMISSION =
            Pattern.compile("(?<![\\w.@-])(?:storage|iam)\\.[a-z][A-Za-z]+\\.[a-z][A-Za-z]+");

    private static final Pattern XML_CODE = Pattern.compile("<Code>([A-Za-z]+)</Code>");

    private static final Pattern XML_DETAILS = Pattern.compile("<Details>([^<]+)</Details>");

    private ErrorTranslation() {}

    static StoreException of(ApiRequest request, HttpResponse<byte[]> response) {
        int status = response.statusCode();
        String reason = reason(response);
        String detail = detail(response);
        String message = "Could not " + request.action() + ": "
                + request.endpoint().host() + " responded " + status + quoted(reason) + ".";
        if (status == NOT_IMPLEMENTED || status == NOT_ALLOWED) {
            return new Unsupported(message);
        }
        if (BUSY.contains(reason) || status == TOO_MANY || status == TIMEOUT || status >= SERVER_ERROR) {
            // The same status is about the rate of requests and about a limit of the project: Google's message says
            // which.
            return new Unavailable(
                    status == TOO_MANY ? message + detailText(detail) : message,
                    new IOException("HTTP " + status),
                    retryAfter(response));
        }
        if (status == BAD_REQUEST && detail.contains("does not exist")) {
            // A new service account is not visible everywhere at once.
            return new Unavailable(
                    message + detailText(detail) + " A new service account can take a minute to appear.");
        }
        if (HELD.contains(reason)) {
            return new NotEmpty(message + detailText(detail));
        }
        return switch (status) {
            case UNAUTHORIZED -> new Denied(message + " The access token of the administrator was rejected.");
            case FORBIDDEN ->
                reason.isEmpty() ? new Unavailable(message + NOT_GOOGLE) : new Denied(message + permission(detail));
            case NOT_FOUND -> ABSENT.contains(reason) ? new NotFound(message) : new Unavailable(message + NOT_GOOGLE);
            case CONFLICT ->
                reason.isEmpty() ? new Unavailable(message + NOT_GOOGLE) : conflict(request, message, detail);
            case PRECONDITION_FAILED -> {
                if (reason.isEmpty()) {
                    yield new Unavailable(message + NOT_GOOGLE);
                }
                yield isPreconditionFailure(request, response)
                        ? new Unavailable(message + " It was changed at the same time.")
                        : new Denied(message + detailText(detail));
            }
            // Google names what is invalid. Without a reason it was a proxy, or the endpoint is something else.
            case BAD_REQUEST ->
                reason.isEmpty() ? new Unavailable(message + NOT_GOOGLE) : new Invalid(message + detailText(detail));
            default -> new Unavailable(message + NOT_GOOGLE);
        };
    }

    private static StoreException conflict(ApiRequest request, String message, String detail) {
        return switch (request.conflict()) {
            case CHANGED_MEANWHILE -> new Unavailable(message + detailText(detail));
            case NAME_TAKEN -> new Taken(message);
            case NOT_EMPTY -> new NotEmpty(message);
        };
    }

    /**
     * Whether something was changed since it was read, or during the request. A policy of the organization also uses the
     * status of a precondition.
     */
    static boolean isPreconditionFailure(ApiRequest request, HttpResponse<byte[]> response) {
        String reason = reason(response);
        return switch (response.statusCode()) {
            case PRECONDITION_FAILED -> reason.equals("conditionNotMet") || reason.equals("PreconditionFailed");
            case CONFLICT ->
                reason.equals("ABORTED")
                        || (!reason.isEmpty() && request.conflict() == ApiRequest.Conflict.CHANGED_MEANWHILE);
            default -> false;
        };
    }

    /** A response that no API of Google Cloud sends. */
    public static Unavailable unexpectedResponse(ApiRequest request) {
        return new Unavailable(
                "Could not " + request.action() + ": the response is not the expected one." + NOT_GOOGLE);
    }

    /** A text in a message, with a space before it; empty if it is. */
    static String quoted(String text) {
        return text.isEmpty() ? "" : " " + InputText.quote(text);
    }

    private static String reason(HttpResponse<byte[]> response) {
        JsonNode error = error(response);
        String reason = error.path("errors").path(0).path("reason").asText("");
        if (!reason.isEmpty()) {
            return reason;
        }
        String status = error.path("status").asText("");
        if (!status.isEmpty()) {
            return status;
        }
        return first(XML_CODE, response);
    }

    private static String detail(HttpResponse<byte[]> response) {
        String message = error(response).path("message").asText("");
        return message.isEmpty() ? first(XML_DETAILS, response) : message;
    }

    private static JsonNode error(HttpResponse<byte[]> response) {
        return GcsClient.parse(response).map(json -> json.path("error")).orElseGet(MissingNode::getInstance);
    }

    private static String first(Pattern element, HttpResponse<byte[]> response) {
        Matcher found = element.matcher(new String(response.body(), StandardCharsets.UTF_8));
        return found.find() ? found.group(1) : "";
    }

    private static String detailText(String detail) {
        return detail.isEmpty() ? "" : " Message of the store: " + InputText.quote(detail);
    }

    private static String permission(String detail) {
        Matcher permission = PERMISSION.matcher(detail);
        return permission.find()
                ? " The administrator lacks the permission " + permission.group() + "."
                : detailText(detail);
    }

    /** What the header Retry-After requests, in seconds. The other form that HTTP allows, a date, is ignored. */
    private static Duration retryAfter(HttpResponse<byte[]> response) {
        return response.headers()
                .firstValue("Retry-After")
                .filter(value -> value.matches("\\d{1,6}"))
                .map(value -> Duration.ofSeconds(Math.min(Long.parseLong(value), LONGEST_WAIT.toSeconds())))
                .orElse(Duration.ZERO);
    }
}
