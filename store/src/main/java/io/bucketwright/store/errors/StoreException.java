package io.bucketwright.store.errors;


/**
 * What a store could not do, and why. The message is for people and may be shown to the owner of a claim: it names
 * fields and inputs, never a secret. A store throws nothing else; what its SDK throws is the cause at most, and only if
 * that holds no secret either.
 */
public abstract sealed class StoreException extends RuntimeException {

    private final Retry retry;

    private StoreException(String message, Retry retry) {
        super(message);
        this.retry = retry;
    }

    private StoreException(String message, Throwable cause, Retry retry) {
        super(message, cause);
        this.retry = retry;
    }

    public final Retry retry() {
        return retry;
    }

    /** The request itself is wrong: a bad name, an unknown option, a value out of range. */
    public static final class Invalid extends StoreException {
        public Invalid(String message) {
            super(message, Retry.REQUIRES_CHANGE);
        }

        public Invalid(String message, Throwable cause) {
            super(message, cause, Retry.REQUIRES_CHANGE);
        }
    }

    /** The store refuses the administrator's credentials, or they do not allow this. Cured in the store as often as here. */
    public static final class Denied extends StoreException {
        public Denied(String message) {
            super(message, Retry.BACK_OFF);
        }

        public Denied(String message, Throwable cause) {
            super(message, cause, Retry.BACK_OFF);
        }
    }

    /** The bucket or principal exists and is not this owner's: another claim's mark, or no mark at all. */
    public static final class Taken extends StoreException {
        public Taken(String message) {
            super(message, Retry.REQUIRES_CHANGE);
        }
    }

    /** The bucket or principal that the call needs is not there. Deleting what is not there is no error. */
    public static final class NotFound extends StoreException {
        public NotFound(String message) {
            super(message, Retry.BACK_OFF);
        }

        public NotFound(String message, Throwable cause) {
            super(message, cause, Retry.BACK_OFF);
        }
    }

    /** The bucket holds objects, versions or unfinished uploads, and the caller did not allow to purge them. */
    public static final class NotEmpty extends StoreException {
        public NotEmpty(String message) {
            super(message, Retry.BACK_OFF);
        }
    }

    /** The store did not answer, not in time, or said that it cannot now. What was asked may have happened or not. */
    public static final class Unavailable extends StoreException {
        public Unavailable(String message) {
            super(message, Retry.BACK_OFF);
        }

        public Unavailable(String message, Throwable cause) {
            super(message, cause, Retry.BACK_OFF);
        }
    }

    /** This store cannot do that at all. */
    public static final class Unsupported extends StoreException {
        public Unsupported(String message) {
            super(message, Retry.REQUIRES_CHANGE);
        }

        public Unsupported(String message, Throwable cause) {
            super(message, cause, Retry.REQUIRES_CHANGE);
        }
    }
}
