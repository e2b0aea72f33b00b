package io.bucketwright.runtime.client;

/** Carries an {@link ApiError} to whoever can do something about it. */
public final class ApiException extends RuntimeException {

    private final transient ApiError error;

    public ApiException(ApiError error) {
        super(error.message());
        this.error = error;
    }

    public ApiException(ApiError error, Throwable cause) {
        super(error.message(), cause);
        this.error = error;
    }

    public ApiError error() {
        return error;
    }
}
