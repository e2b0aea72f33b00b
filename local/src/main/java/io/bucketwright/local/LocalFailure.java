package io.bucketwright.local;

/**
 * Something about the local cluster that its user must know or mend. The message is whole sentences for people: what
 * happened, to what, and what to do; commands print it as it is.
 */
public final class LocalFailure extends RuntimeException {

    public LocalFailure(String message) {
        super(message);
    }

    public LocalFailure(String message, Throwable cause) {
        super(message, cause);
    }
}
