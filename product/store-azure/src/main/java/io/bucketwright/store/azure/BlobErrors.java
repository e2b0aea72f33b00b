package io.bucketwright.store.azure;

import io.bucketwright.store.errors.InputText;
import io.bucketwright.store.errors.StoreException;
import io.bucketwright.store.errors.StoreException.Denied;
import io.bucketwright.store.errors.StoreException.Invalid;
import io.bucketwright.store.errors.StoreException.NotEmpty;
import io.bucketwright.store.errors.StoreException.NotFound;
import io.bucketwright.store.errors.StoreException.Taken;
import io.bucketwright.store.errors.StoreException.Unavailable;
import io.bucketwright.store.http.LimitedTransport;
import io.bucketwright.store.http.XmlRecords;
import java.net.HttpURLConnection;
import java.net.http.HttpResponse;
import java.util.Set;

/** Translates the error responses of the Blob service. */
final class BlobErrors {

    private static final int TOO_MANY = 429;

    /** What exists no longer, or is about to. A 404 with another code, or with none, does not tell. */
    private static final Set<String> ABSENT = Set.of("ContainerNotFound", "BlobNotFound", "ContainerBeingDeleted");

    /** Objects that a legal hold or a retention policy protects. */
    private static final Set<String> PROTECTED = Set.of(
            "BlobImmutableDueToPolicy",
            "BlobImmutableDueToLegalHold",
            "ContainerImmutableDueToPolicy",
            "ContainerHasImmutableBlobs",
            "ContainerHasLegalHold");

    private BlobErrors() {}

    /** Nothing follows from such a response: neither that something exists nor that it does not. */
    static Unavailable notTheStore(String action, int status) {
        return new Unavailable("Could not " + action + ": the response was " + status
                + ". That is not a response of the Blob service: check that the parameters endpoint, storageAccount and"
                + " pathStyle in the class are those of the storage account, and that a proxy in front of it passes all"
                + " requests on.");
    }

    static StoreException translate(String action, HttpResponse<byte[]> response) {
        int status = response.statusCode();
        String code = code(response);
        String message = "Could not " + action + ": the store responded " + status
                + (code.isEmpty() ? "" : " " + InputText.quote(code)) + ".";
        if (status == TOO_MANY || status >= HttpURLConnection.HTTP_INTERNAL_ERROR) {
            return new Unavailable(
                    message,
                    LimitedTransport.retryAfter(
                            response.headers().firstValue("Retry-After").orElse("")));
        }
        if (status == HttpURLConnection.HTTP_UNAUTHORIZED || status == HttpURLConnection.HTTP_FORBIDDEN) {
            return new Denied(message + hint(code));
        }
        if (code.equals("PublicAccessNotPermitted")) {
            return new Denied(
                    message + " The storage account does not permit anonymous access: an administrator allows it"
                            + " for the account, or anonymousAccess is private.");
        }
        if (PROTECTED.contains(code)) {
            return new NotEmpty(message + " Objects are protected by a legal hold or a retention policy.");
        }
        if (ABSENT.contains(code)) {
            return new NotFound(message);
        }
        if (code.equals("ContainerAlreadyExists")) {
            return new Taken(message);
        }
        if (status == HttpURLConnection.HTTP_BAD_REQUEST && !code.isEmpty()) {
            return new Invalid(
                    message + " Message of the store: " + InputText.quote(XmlRecords.text(response.body(), "Message")));
        }
        return status == HttpURLConnection.HTTP_NOT_FOUND || code.isEmpty()
                ? notTheStore(action, status)
                : new Unavailable(message);
    }

    /** Whether a blob that exists cannot be changed, because of its state and not because of the request. */
    static boolean isConflict(HttpResponse<byte[]> response) {
        int status = response.statusCode();
        String code = code(response);
        return (status == HttpURLConnection.HTTP_CONFLICT || status == HttpURLConnection.HTTP_PRECON_FAILED)
                && !code.isEmpty()
                && !ABSENT.contains(code);
    }

    /** Whether the kind of this storage account does not have a parameter of the query. */
    static boolean isUnsupportedParameter(HttpResponse<byte[]> response) {
        return response.statusCode() == HttpURLConnection.HTTP_BAD_REQUEST
                && code(response).equals("UnsupportedQueryParameter");
    }

    /** The error code of the response; empty if it has none. */
    static String code(HttpResponse<byte[]> response) {
        return response.headers()
                .firstValue("x-ms-error-code")
                .orElseGet(() -> XmlRecords.text(response.body(), "Code"));
    }

    private static String hint(String code) {
        return switch (code) {
            case "AuthenticationFailed" ->
                " Check the account key in the administrator's Secret, the parameter storageAccount, and the clock of this"
                        + " machine.";
            case "AuthorizationFailure" ->
                " The firewall of the storage account may not allow this network. Otherwise check the account key in the"
                        + " administrator's Secret.";
            case "KeyBasedAuthenticationNotPermitted" ->
                " The storage account does not permit access with its key: allow shared key access, which tokens of"
                        + " applications need.";
            default -> "";
        };
    }
}
