package io.bucketwright.runtime;

/** This process is not the leader, and another one may be. Nothing was sent. */
public final class LeadershipLostException extends RuntimeException {

    public LeadershipLostException(String message) {
        super(message);
    }
}
