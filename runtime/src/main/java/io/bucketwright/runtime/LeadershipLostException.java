package io.bucketwright.runtime;

/** An act was refused because another process may be leading by now. Nothing was sent. */
public final class LeadershipLostException extends RuntimeException {

    public LeadershipLostException(String message) {
        super(message);
    }
}
