package io.bucketwright.store.s3.client;

import io.bucketwright.store.errors.StoreException;

/** The cause of a {@link StoreException}: a successful response of an administration API has a longer body than is read. */
public final class ResponseTooLongException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    ResponseTooLongException(int limit) {
        super("The body has more than " + limit + " bytes.");
    }

    /** Whether this is why a request failed. */
    public static boolean isCauseOf(StoreException failure) {
        return failure.getCause() instanceof ResponseTooLongException;
    }
}
