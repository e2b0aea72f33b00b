package io.bucketwright.runtime.client;

import java.time.Duration;

/** Why a request to the API server failed. The message contains the object and what to do. */
public sealed interface ApiError {

    String message();

    /** The object is not the one that was read: it was changed, or deleted and created again. */
    record Conflict(String message) implements ApiError {}

    /** An object of that name exists already; anybody may own it. */
    record AlreadyExists(String message) implements ApiError {}

    /** The object, its namespace or its kind does not exist. */
    record NotFound(String message) implements ApiError {}

    /** The namespace is being deleted, and nothing can be created in it. */
    record Terminating(String message) implements ApiError {}

    /** Not allowed. Permissions, quotas and admission policies change without an event of the object, so it is retried. */
    record Forbidden(String message) implements ApiError {}

    /** The request is not valid, and will not be next time. */
    record Invalid(String message) implements ApiError {}

    /** The server requests to try later. */
    record Throttled(String message, Duration after) implements ApiError {}

    /** No response, or one without information about the request: it may have taken effect. */
    record Unavailable(String message) implements ApiError {}
}
