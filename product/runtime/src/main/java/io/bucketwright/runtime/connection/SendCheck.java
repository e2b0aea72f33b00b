package io.bucketwright.runtime.connection;

import io.fabric8.kubernetes.client.http.HttpRequest;

/** An interceptor that is asked once more directly before the bytes of a request leave, and before each repetition. */
public interface SendCheck {

    /**
     * Throws if the request must not be sent. The result is run before the bytes leave, and throws if they must not leave any
     * more: connecting may have taken long.
     */
    Runnable prepare(HttpRequest request);
}
