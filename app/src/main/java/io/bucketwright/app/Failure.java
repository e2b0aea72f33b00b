package io.bucketwright.app;

/** Something a person must know or mend; the message is whole sentences, and is printed as it is. */
public final class Failure extends RuntimeException {

    public Failure(String message) {
        super(message);
    }

    public Failure(String message, Throwable cause) {
        super(message, cause);
    }
}
