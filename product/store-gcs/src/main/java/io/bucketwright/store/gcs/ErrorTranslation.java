package io.bucketwright.store.gcs;

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
import io.bucketwright.store.http.LimitedTransport;
import java.io.IOException;
import java.net.HttpURLConnection;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Translates error responses to a {@link StoreException}. Cloud Storage names a reason, IAM a status, the XML API a code;
 * a response without any of them does not come from Google and proves nothing.
 */
final class ErrorTranslation {

    static final String NOT_GOOGLE =
            " That is not a response of Google Cloud: check that the endpoints in the class are"
                    + " right, with the right scheme, and that a proxy in front of them passes all requests on.";

    private static final int TOO_MANY = 429;

    /** The refusal of roles for everybody by a bucket or an organization has the status and reason of a precondition. */
    private static final String PUBLIC_ACCESS = "public access prevention";

    private static final String NOT_PUBLIC =
            " Public access prevention is enforced for the project or its organization: an"
                    + " administrator allows public access there, or anonymousAccess is private.";

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
        if (status == HttpURLConnection.HTTP_NOT_IMPLEMENTED || status == HttpURLConnection.HTTP_BAD_METHOD) {
            return new Unsupported(message);
        }
        if (BUSY.contains(reason)
                || status == TOO_MANY
                || status == HttpURLConnection.HTTP_CLIENT_TIMEOUT
                || status >= HttpURLConnection.HTTP_INTERNAL_ERROR) {
            // The same status is about the rate of requests and about a limit of the project: Google's message says
            // which.
            return new Unavailable(
                    status == TOO_MANY ? message + detailText(detail) : message,
                    new IOException("HTTP " + status),
                    LimitedTransport.retryAfter(
                            response.headers().firstValue("Retry-After").orElse("")));
        }
        if (status == HttpURLConnection.HTTP_BAD_REQUEST && detail.contains("does not exist")) {
            // A new service account is not visible everywhere at once.
            return new Unavailable(
                    message + detailText(detail) + " A new service account can take a minute to appear.");
        }
        if (HELD.contains(reason)) {
            return new NotEmpty(message + detailText(detail));
        }
        if (status == HttpURLConnection.HTTP_UNAUTHORIZED) {
            return new Denied(message + " The access token of the administrator was rejected.");
        }
        // Google gives a reason. Without one it was a proxy, or the endpoint is something else.
        return switch (reason.isEmpty() ? 0 : status) {
            case HttpURLConnection.HTTP_FORBIDDEN -> new Denied(message + permission(detail));
            case HttpURLConnection.HTTP_NOT_FOUND ->
                ABSENT.contains(reason) ? new NotFound(message) : new Unavailable(message + NOT_GOOGLE);
            case HttpURLConnection.HTTP_CONFLICT -> conflict(request, message, detail);
            case HttpURLConnection.HTTP_PRECON_FAILED ->
                isPreconditionFailure(request, response)
                        ? new Unavailable(message + " It was changed at the same time.")
                        : new Denied(message + (detail.contains(PUBLIC_ACCESS) ? NOT_PUBLIC : detailText(detail)));
            case HttpURLConnection.HTTP_BAD_REQUEST -> new Invalid(message + detailText(detail));
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
            case HttpURLConnection.HTTP_PRECON_FAILED ->
                (reason.equals("conditionNotMet") || reason.equals("PreconditionFailed"))
                        && !detail(response).contains(PUBLIC_ACCESS);
            case HttpURLConnection.HTTP_CONFLICT ->
                reason.equals("ABORTED")
                        || (!reason.isEmpty() && request.conflict() == ApiRequest.Conflict.CHANGED_MEANWHILE);
            default -> false;
        };
    }

    /** A response that no API of Google Cloud sends. */
    static Unavailable unexpectedResponse(ApiRequest request) {
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
}
