package io.bucketwright.local;

/**
 * Something about the local cluster that its user must know or mend. The message is whole sentences for people: what
 * happened, to what, and what to do; commands print it as it is.
 */
public final class LocalClusterException extends RuntimeException {

    public LocalClusterException(String message) {
        super(message);
    }

    public LocalClusterException(String message, Throwable cause) {
        super(message, cause);
    }
}
