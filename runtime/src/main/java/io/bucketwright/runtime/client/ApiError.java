package io.bucketwright.runtime.client;

import java.time.Duration;

/** Why the API server did not do what it was asked. The message names the object and what to do. */
public sealed interface ApiError {

    String message();

    /** What helps. */
    Retry retry();

    /** The object is not the one that was read: somebody else changed it, or it was created anew. */
    record Conflict(String message) implements ApiError {
        @Override
        public Retry retry() {
            return new Retry.BackOff();
        }
    }

    /** An object of that name is there already; it may be anybody's. */
    record AlreadyExists(String message) implements ApiError {
        @Override
        public Retry retry() {
            return new Retry.BackOff();
        }
    }

    /** The object, its namespace or its kind is not there. */
    record NotFound(String message) implements ApiError {
        @Override
        public Retry retry() {
            return new Retry.BackOff();
        }
    }

    /** The namespace is going away, and nothing new may enter it. */
    record Terminating(String message) implements ApiError {
        @Override
        public Retry retry() {
            return new Retry.UntilChange();
        }
    }

    /** Not allowed. Permissions and quotas change without an event of the object, so it is worth another try. */
    record Forbidden(String message) implements ApiError {
        @Override
        public Retry retry() {
            return new Retry.BackOff();
        }
    }

    /** What was sent is wrong, and will be wrong next time. */
    record Invalid(String message) implements ApiError {
        @Override
        public Retry retry() {
            return new Retry.UntilChange();
        }
    }

    /** The server asks to come back later. */
    record Throttled(String message, Duration after) implements ApiError {
        @Override
        public Retry retry() {
            return new Retry.After(after);
        }
    }

    /** No answer, or one that says nothing about the request: it may even have taken effect. */
    record Unavailable(String message) implements ApiError {
        @Override
        public Retry retry() {
            return new Retry.BackOff();
        }
    }

    /** What helps against an error. */
    sealed interface Retry {

        /** Trying again, less and less often. */
        record BackOff() implements Retry {}

        /** Waiting as long as the server said. */
        record After(Duration delay) implements Retry {}

        /** Nothing but a change of the object. */
        record UntilChange() implements Retry {}
    }
}
