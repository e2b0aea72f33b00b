package io.bucketwright.volumes.podclaims;

/** A template that is no claim, with what is wrong about it in words for its author. */
final class UnreadableException extends Exception {

    private static final long serialVersionUID = 1;

    UnreadableException(String message) {
        super(message);
    }

    /** Never null, unlike what it replaces. */
    String why() {
        return String.valueOf(getMessage());
    }
}
