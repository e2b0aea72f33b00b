package io.bucketwright.runtime.client;

import io.fabric8.kubernetes.api.model.HasMetadata;
import java.util.Optional;

/** Carries an {@link ApiError} to whoever can do something about it. */
public final class ApiException extends RuntimeException {

    private final transient ApiError error;
    private final transient Optional<HasMetadata> written;

    public ApiException(ApiError error) {
        super(error.message());
        this.error = error;
        this.written = Optional.empty();
    }

    public ApiException(ApiError error, Throwable cause) {
        super(error.message(), cause);
        this.error = error;
        this.written = Optional.empty();
    }

    ApiException(ApiException cause, HasMetadata written) {
        super(cause.getMessage(), cause);
        this.error = cause.error;
        this.written = Optional.of(written);
    }

    public ApiError error() {
        return error;
    }

    /** The existing object that the API server was asked to change; empty if it was not. */
    public Optional<HasMetadata> written() {
        return written.filter(object -> object.getMetadata().getUid() != null);
    }
}
