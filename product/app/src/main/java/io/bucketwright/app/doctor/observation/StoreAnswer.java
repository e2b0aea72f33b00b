package io.bucketwright.app.doctor.observation;

/**
 * The answer of the store of a StorageClass.
 *
 * @param message of the store or of the API server; contains no secret
 */
public record StoreAnswer(String storageClass, Result result, String message) {

    /** What became of the request. */
    public enum Result {
        OK,
        /** The user may not read the administrator Secret of the class. */
        SECRET_FORBIDDEN,
        /** The administrator Secret of the class does not exist, or lacks something. */
        SECRET_MISSING,
        /** The store rejects the credentials. */
        DENIED,
        /** The store did not respond. */
        UNREACHABLE,
        /** The host of the endpoint is known in the cluster only. */
        NOT_RESOLVED,
        /** The store responded with another error. */
        FAILED
    }
}
