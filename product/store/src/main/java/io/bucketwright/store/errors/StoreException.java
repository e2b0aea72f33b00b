package io.bucketwright.store.errors;

import java.time.Duration;

/**
 * A call to a store failed. The message can be shown to the owner of a claim: it names fields and inputs and contains no
 * secret. A store throws no other exception. An exception of its SDK may be the cause if it contains no secret either.
 */
public abstract sealed class StoreException extends RuntimeException {

    private StoreException(String message) {
        super(message);
    }

    private StoreException(String message, Throwable cause) {
        super(message, cause);
    }

    public final Retry retry() {
        return switch (this) {
            case Invalid _, Taken _, Unsupported _ -> Retry.REQUIRES_CHANGE;
            case Denied _, NotFound _, NotEmpty _, Unavailable _ -> Retry.BACK_OFF;
        };
    }

    /** The request is invalid: a malformed name, an unknown option or a value out of range. */
    public static final class Invalid extends StoreException {
        public Invalid(String message) {
            super(message);
        }

        public Invalid(String message, Throwable cause) {
            super(message, cause);
        }
    }

    /** The store rejects the administrator's credentials, or they lack a permission. Often fixed in the store, so retried. */
    public static final class Denied extends StoreException {
        public Denied(String message) {
            super(message);
        }

        public Denied(String message, Throwable cause) {
            super(message, cause);
        }
    }

    /** The bucket or principal exists and is not owned by this owner: it is tagged with another one, or not tagged. */
    public static final class Taken extends StoreException {
        public Taken(String message) {
            super(message);
        }
    }

    /** The bucket or principal does not exist. Deleting something that does not exist succeeds instead. */
    public static final class NotFound extends StoreException {
        public NotFound(String message) {
            super(message);
        }

        public NotFound(String message, Throwable cause) {
            super(message, cause);
        }
    }

    /** The bucket contains objects, versions or incomplete uploads, and the caller did not allow to purge them. */
    public static final class NotEmpty extends StoreException {
        public NotEmpty(String message) {
            super(message);
        }
    }

    /** The store did not respond in time, or is temporarily unable to. The request may have taken effect. */
    public static final class Unavailable extends StoreException {

        private final Duration retryAfter;

        public Unavailable(String message) {
            super(message);
            this.retryAfter = Duration.ZERO;
        }

        public Unavailable(String message, Throwable cause) {
            this(message, cause, Duration.ZERO);
        }

        /**
         * The store requests to wait.
         *
         * @param retryAfter how long to wait before the next attempt; zero if the store does not request it
         */
        public Unavailable(String message, Duration retryAfter) {
            super(message);
            this.retryAfter = retryAfter;
        }

        /**
         * The store requests to wait.
         *
         * @param retryAfter how long to wait before the next attempt; zero if the store does not request it
         */
        public Unavailable(String message, Throwable cause, Duration retryAfter) {
            super(message, cause);
            this.retryAfter = retryAfter;
        }

        /** How long the store requests to wait before the next attempt; zero if it does not. */
        public Duration retryAfter() {
            return retryAfter;
        }
    }

    /** The store does not support the request. */
    public static final class Unsupported extends StoreException {
        public Unsupported(String message) {
            super(message);
        }

        public Unsupported(String message, Throwable cause) {
            super(message, cause);
        }
    }
}
