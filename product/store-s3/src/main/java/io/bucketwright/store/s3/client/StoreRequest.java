package io.bucketwright.store.s3.client;

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
import io.bucketwright.store.http.LimitedTransport;
import io.bucketwright.store.s3.client.AdminClient.AdminException;
import java.io.UncheckedIOException;
import java.net.HttpURLConnection;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import software.amazon.awssdk.awscore.exception.AwsErrorDetails;
import software.amazon.awssdk.awscore.exception.AwsServiceException;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.services.iam.model.IamException;

/** Sends one request within the limits of a call, and translates the errors of the AWS SDK to a {@link StoreException}. */
public final class StoreRequest {

    private static final int TOO_MANY = 429;

    /** Error codes that ask for a retry, whatever the HTTP status. */
    private static final Set<String> BUSY = Set.of(
            "SlowDown",
            "Throttling",
            "ThrottlingException",
            "RequestLimitExceeded",
            "OperationAborted",
            "ConcurrentModification",
            "RequestTimeout",
            "RequestTimeTooSkewed",
            // Another process just created or uses what this one creates or deletes.
            "XMinioIAMServiceAccountNotAllowed",
            "XMinioIAMPolicyInUse");

    /** Those of them that say that the client sends too many requests. */
    private static final Set<String> THROTTLED =
            Set.of("SlowDown", "Throttling", "ThrottlingException", "RequestLimitExceeded");

    private static final String TOO_FAST =
            " The store limits the rate of requests. The controller sends this one again.";

    private static final Set<String> UNKNOWN_KEYS = Set.of(
            "InvalidAccessKeyId",
            "SignatureDoesNotMatch",
            "InvalidClientTokenId",
            "UnrecognizedClientException",
            "ExpiredToken",
            "InvalidToken");

    private static final Set<String> NO_SUCH_FEATURE =
            Set.of("NotImplemented", "InvalidAction", "UnsupportedOperation");

    /**
     * What S3 calls something that does not exist. A 404 with another code, or with none, is not an answer to the question:
     * a proxy without a route to the store gives it too.
     */
    private static final Set<String> ABSENT = Set.of(
            "NoSuchBucket",
            "NoSuchBucketPolicy",
            "NoSuchCORSConfiguration",
            "NoSuchKey",
            "NoSuchLifecycleConfiguration",
            "NoSuchPublicAccessBlockConfiguration",
            "NoSuchTagSet",
            "NoSuchTagSetError",
            "NoSuchUpload",
            "NoSuchVersion",
            "ObjectLockConfigurationNotFoundError",
            "OwnershipControlsNotFoundError");

    private static final String ABSENT_IN_IAM = "NoSuchEntity";

    private static final Pattern ABSENT_IN_ADMINISTRATION =
            Pattern.compile("(XMinioAdmin)?NoSuch[A-Za-z]+|XMinioInvalidIAMCredentials");

    private static final String PROXY =
            " That is not a response of %s: check that the endpoint in the class is its address,"
                    + " with the right scheme, and that a proxy in front of it passes all requests on.";

    private static final String NO_IAM =
            " The endpoint may not serve the AWS IAM API, which creates users and keys: set"
                    + " the parameter iamEndpoint to the endpoint that does, or the parameter identity to the API that"
                    + " the store serves.";

    private static final String NO_ADMINISTRATION =
            " The endpoint may not serve the administration API that the parameter identity of the class names.";

    /** The request that this thread sends. Credentials may need a request of their own, within its limits. */
    static final ScopedValue<InFlight> CURRENT = ScopedValue.newInstance();

    /** @param operation set when the request is transmitted, such as {@code S3.CreateBucket} */
    record InFlight(StoreCall call, AtomicReference<String> operation) {}

    private StoreRequest() {}

    /**
     * Sends a request.
     *
     * @param action completes the sentence "Could not …"
     * @param request sends the request; a {@link CallInterceptor} limits its time
     */
    public static <T> T send(StoreCall call, String action, Supplier<T> request) {
        InFlight current = new InFlight(call, new AtomicReference<>(""));
        try {
            return ScopedValue.where(CURRENT, current).call(() -> call.interruptible(request));
        } catch (AwsServiceException e) {
            throw translate(action, current.operation().get(), e);
        } catch (SdkException | UncheckedIOException e) {
            // No connection, a timeout or an interrupt. The SDK's HTTP client lets some UncheckedIOExceptions through.
            throw new Unavailable(
                    "Could not " + action + ": " + (call.cancelled() ? "the call was cancelled." : noResponse(e)), e);
        }
    }

    /**
     * How long a request may take that this thread sends for another one.
     *
     * @param longest its own limit
     */
    static Duration remaining(Duration longest) {
        Duration left = CURRENT.isBound() ? CURRENT.get().call().remaining() : longest;
        return left.compareTo(longest) < 0 ? left : longest;
    }

    /** Whether a response asks to send the request again later. */
    static boolean isBusy(AwsServiceException e) {
        return BUSY.contains(code(e))
                || e.statusCode() == TOO_MANY
                || e.statusCode() >= HttpURLConnection.HTTP_INTERNAL_ERROR;
    }

    private static String noResponse(Throwable failure) {
        for (Throwable e = failure; e != null; e = e.getCause()) {
            if (e instanceof UnknownHostException) {
                return "the host " + InputText.quote(String.valueOf(e.getMessage())) + " has no address. Check the"
                        + " parameters endpoint and iamEndpoint, and pathStyle if the host begins with the name of the"
                        + " bucket.";
            }
        }
        return LimitedTransport.tlsFailure(failure, "the store").orElse("the store does not respond.");
    }

    /**
     * A list in a successful response. A store sends the list also if nothing is in it; without it, a proxy answered.
     *
     * @param action completes the sentence "Could not …"
     */
    public static <T> List<T> list(String action, boolean present, List<T> values) {
        if (!present) {
            throw emptyResponse(action);
        }
        return values;
    }

    public static Unavailable emptyResponse(String action) {
        return new Unavailable(
                "Could not " + action + ": the response is empty." + PROXY.formatted("an S3 store or IAM service"));
    }

    /** The store's error code; empty if the response has none. */
    public static String code(AwsServiceException e) {
        AwsErrorDetails details = e.awsErrorDetails();
        return details == null || details.errorCode() == null ? "" : details.errorCode();
    }

    /** The store's error code behind a translated error; empty if there is none. */
    public static String code(StoreException e) {
        return e.getCause() instanceof AwsServiceException cause ? code(cause) : "";
    }

    private static StoreException translate(String action, String operation, AwsServiceException e) {
        String code = code(e);
        int status = e.statusCode();
        String message = "Could not " + action + ": the store responded " + status
                + (code.isEmpty() ? "" : " " + InputText.quote(code)) + ".";
        // MinIO takes a request to IAM for one to STS, and misses parameters.
        boolean noIam = e instanceof IamException && code.equals("MissingParameter");
        if (noIam
                || NO_SUCH_FEATURE.contains(code)
                || status == HttpURLConnection.HTTP_NOT_IMPLEMENTED
                || status == HttpURLConnection.HTTP_BAD_METHOD) {
            return new Unsupported(message + noService(e), e);
        }
        if (isBusy(e)) {
            boolean throttled = THROTTLED.contains(code) || status == TOO_MANY;
            return new Unavailable(throttled ? message + TOO_FAST : message, e, retryAfter(e));
        }
        if (code.equals("SecondLevelDomainForbidden")) {
            return new Denied(
                    message + " The store requires the bucket in the host name: set the parameter pathStyle to false.",
                    e);
        }
        if (UNKNOWN_KEYS.contains(code) || status == HttpURLConnection.HTTP_UNAUTHORIZED) {
            return new Denied(message + " The store does not accept the administrator's credentials.", e);
        }
        if (status == HttpURLConnection.HTTP_FORBIDDEN) {
            List<String> actions = AwsPermissions.actions(operation);
            return new Denied(
                    actions.isEmpty()
                            ? message
                            : message + " The administrator needs the permission " + String.join(" and ", actions)
                                    + ".",
                    e);
        }
        if (code.equals("LimitExceeded") && operation.equals("Iam.CreateAccessKey")) {
            // Unwanted keys were just deleted: another call has created the two that a user may have.
            return new Unavailable(message, e);
        }
        if (code.equals("LimitExceeded")) {
            return new Denied(
                    message + " The account has reached a limit of the service: delete what is not needed, or ask the"
                            + " provider for a higher limit. Message of the store: " + InputText.quote(reason(e)),
                    e);
        }
        if (code.equals("TooManyBuckets")) {
            return new Denied(
                    message + " The account of the store has its maximum number of buckets: delete buckets that are not"
                            + " needed, or ask the provider for a higher limit.",
                    e);
        }
        return switch (status) {
            case HttpURLConnection.HTTP_MOVED_PERM ->
                code.equals("PermanentRedirect") && !(e instanceof IamException)
                        ? new Taken(message + " The bucket already exists in another region.")
                        : notTheStore(message, e);
            case HttpURLConnection.HTTP_NOT_FOUND ->
                isAbsence(e, code) ? new NotFound(message, e) : notTheStore(message, e);
            case HttpURLConnection.HTTP_CONFLICT -> conflict(code, message, e);
            // A store names what is invalid. Without a code it was a proxy, or the endpoint speaks another protocol.
            case HttpURLConnection.HTTP_BAD_REQUEST ->
                code.isEmpty()
                        ? new Unavailable(message, e)
                        : new Invalid(message + " Message of the store: " + InputText.quote(reason(e)), e);
            default -> new Unavailable(message, e);
        };
    }

    private static boolean isAbsence(AwsServiceException e, String code) {
        return switch (e) {
            case IamException _ -> code.equals(ABSENT_IN_IAM);
            case AdminException _ -> ABSENT_IN_ADMINISTRATION.matcher(code).matches();
            default -> ABSENT.contains(code);
        };
    }

    /** Nothing follows from such a response: neither that something exists nor that it does not. */
    private static Unavailable notTheStore(String message, AwsServiceException e) {
        String service = e instanceof IamException ? "an IAM service" : "an S3 store";
        return new Unavailable(message + PROXY.formatted(service) + noService(e), e);
    }

    private static String noService(AwsServiceException e) {
        return switch (e) {
            case IamException _ -> NO_IAM;
            case AdminException _ -> NO_ADMINISTRATION;
            default -> "";
        };
    }

    private static StoreException conflict(String code, String message, AwsServiceException e) {
        return switch (code) {
            case "BucketNotEmpty" -> new NotEmpty(message);
            case "DeleteConflict" -> new NotEmpty(message + " Message of the store: " + InputText.quote(reason(e)));
            case "BucketAlreadyExists", "BucketAlreadyOwnedByYou", "EntityAlreadyExists", "UserAlreadyExists" ->
                new Taken(message);
            case "InvalidBucketState" ->
                new Invalid(message + " Message of the store: " + InputText.quote(reason(e)), e);
            default -> new Unavailable(message, e);
        };
    }

    private static Duration retryAfter(AwsServiceException e) {
        AwsErrorDetails details = e.awsErrorDetails();
        return details == null || details.sdkHttpResponse() == null
                ? Duration.ZERO
                : LimitedTransport.retryAfter(details.sdkHttpResponse()
                        .firstMatchingHeader("Retry-After")
                        .orElse(""));
    }

    private static String reason(AwsServiceException e) {
        AwsErrorDetails details = e.awsErrorDetails();
        return details == null || details.errorMessage() == null ? "" : details.errorMessage();
    }
}
