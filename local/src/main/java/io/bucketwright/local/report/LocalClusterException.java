package io.bucketwright.local.report;

/**
 * A failure of the local cluster that its user has to fix. The message is written for people: what
 * failed, on what, and what to do. Commands print it as it is.
 */
public final class LocalClusterException extends RuntimeException {

    public LocalClusterException(String message) {
        super(message);
    }

    public LocalClusterException(String message, Throwable cause) {
        super(message, cause);
    }
}
