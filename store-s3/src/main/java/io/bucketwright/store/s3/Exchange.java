package io.bucketwright.store.s3;

import io.bucketwright.store.StoreCall;
import io.bucketwright.store.errors.InputText;
import io.bucketwright.store.errors.StoreException;
import io.bucketwright.store.errors.StoreException.Denied;
import io.bucketwright.store.errors.StoreException.Invalid;
import io.bucketwright.store.errors.StoreException.NotEmpty;
import io.bucketwright.store.errors.StoreException.NotFound;
import io.bucketwright.store.errors.StoreException.Taken;
import io.bucketwright.store.errors.StoreException.Unavailable;
import io.bucketwright.store.errors.StoreException.Unsupported;
import java.io.UncheckedIOException;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Stream;
import javax.net.ssl.SSLException;
import software.amazon.awssdk.awscore.AwsRequestOverrideConfiguration;
import software.amazon.awssdk.awscore.exception.AwsErrorDetails;
import software.amazon.awssdk.awscore.exception.AwsServiceException;
import software.amazon.awssdk.core.exception.SdkException;

/** One request and its answer: limited by the call, and with the store's errors as ours. */
final class Exchange {

    private static final int BAD_REQUEST = 400;
    private static final int UNAUTHORIZED = 401;
    private static final int FORBIDDEN = 403;
    private static final int NOT_FOUND = 404;
    private static final int NOT_ALLOWED = 405;
    private static final int CONFLICT = 409;
    private static final int TOO_MANY = 429;
    private static final int SERVER_ERROR = 500;
    private static final int NOT_IMPLEMENTED = 501;

    /** Codes that come with various statuses and always mean: not now. */
    private static final Set<String> BUSY = Set.of(
            "SlowDown",
            "Throttling",
            "ThrottlingException",
            "RequestLimitExceeded",
            "OperationAborted",
            "ConcurrentModification",
            "LimitExceeded",
            "RequestTimeout",
            "RequestTimeTooSkewed");

    private static final Set<String> UNKNOWN_KEYS = Set.of(
            "InvalidAccessKeyId", "SignatureDoesNotMatch", "InvalidClientTokenId", "UnrecognizedClientException");

    private static final Set<String> NO_SUCH_FEATURE =
            Set.of("NotImplemented", "InvalidAction", "UnsupportedOperation");

    private static final String NO_TLS = "no encrypted connection to the store could be made. Its endpoint must speak"
            + " https, with a certificate for that host, of an authority that is in the class's caBundle or known to"
            + " this machine.";

    private Exchange() {}

    /**
     * Sends a request.
     *
     * @param what what was wanted, as the end of "could not …"
     * @param request must put the given limits on what it sends
     */
    static <T> T send(StoreCall call, String what, Function<AwsRequestOverrideConfiguration, T> request) {
        call.check();
        AwsRequestOverrideConfiguration limits = AwsRequestOverrideConfiguration.builder()
                .apiCallTimeout(call.remaining())
                .build();
        try {
            return call.interruptible(() -> request.apply(limits));
        } catch (AwsServiceException e) {
            throw translate(what, e);
        } catch (SdkException | UncheckedIOException e) {
            // No connection, no answer in time, interrupted; the second where the SDK's HTTP client lets it through.
            throw new Unavailable(
                    "Could not " + what + ": " + (isAboutTls(e) ? NO_TLS : "the store does not answer."), e);
        }
    }

    private static boolean isAboutTls(Throwable e) {
        return Stream.iterate(e, Objects::nonNull, Throwable::getCause).anyMatch(SSLException.class::isInstance);
    }

    /** The store's name for an error; empty if it gave none. */
    static String code(AwsServiceException e) {
        AwsErrorDetails details = e.awsErrorDetails();
        return details == null || details.errorCode() == null ? "" : details.errorCode();
    }

    private static StoreException translate(String what, AwsServiceException e) {
        String code = code(e);
        int status = e.statusCode();
        String message = "Could not " + what + ": the store answered " + status
                + (code.isEmpty() ? "" : " " + InputText.quote(code)) + ".";
        if (NO_SUCH_FEATURE.contains(code) || status == NOT_IMPLEMENTED || status == NOT_ALLOWED) {
            return new Unsupported(message, e);
        }
        if (BUSY.contains(code) || status == TOO_MANY || status >= SERVER_ERROR) {
            return new Unavailable(message, e);
        }
        if (UNKNOWN_KEYS.contains(code) || status == UNAUTHORIZED || status == FORBIDDEN) {
            return new Denied(message, e);
        }
        return switch (status) {
            case NOT_FOUND -> new NotFound(message, e);
            case CONFLICT -> conflict(code, message, e);
            case BAD_REQUEST -> new Invalid(message + " It says: " + InputText.quote(reason(e)), e);
            default -> new Unavailable(message, e);
        };
    }

    private static StoreException conflict(String code, String message, AwsServiceException e) {
        return switch (code) {
            case "BucketNotEmpty" -> new NotEmpty(message);
            case "BucketAlreadyExists", "BucketAlreadyOwnedByYou", "EntityAlreadyExists" -> new Taken(message);
            case "InvalidBucketState" -> new Invalid(message + " It says: " + InputText.quote(reason(e)), e);
            default -> new Unavailable(message, e);
        };
    }

    private static String reason(AwsServiceException e) {
        AwsErrorDetails details = e.awsErrorDetails();
        return details == null || details.errorMessage() == null ? "" : details.errorMessage();
    }
}
