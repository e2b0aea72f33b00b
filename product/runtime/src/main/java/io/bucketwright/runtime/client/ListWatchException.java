package io.bucketwright.runtime.client;

import java.io.IOException;
import java.net.HttpURLConnection;
import java.time.Duration;

/** The API server refused a list or a watch. */
public final class ListWatchException extends IOException {

    private static final long serialVersionUID = 1L;

    private static final int TOO_MANY_REQUESTS = 429;

    private final int code;
    private final Duration requestedWait;

    /**
     * A refusal.
     *
     * @param requestedWait how long the server requests to wait, zero if it does not
     */
    public ListWatchException(int code, String message, Duration requestedWait) {
        super(message);
        this.code = code;
        this.requestedWait = requestedWait;
    }

    /** How long the server requests to wait before the next attempt, zero if it does not. */
    public Duration requestedWait() {
        return requestedWait;
    }

    /** Whether the version to go on from is too old, so that everything must be listed again. */
    public boolean isExpired() {
        return code == HttpURLConnection.HTTP_GONE;
    }

    /** Whether the same request may succeed later, because the server has too much to do, is starting, or failed. */
    public boolean isBusy() {
        return isBusy(code);
    }

    /** The same, of a status that a watch reports. */
    public static boolean isBusy(int code) {
        return code == TOO_MANY_REQUESTS
                || code == HttpURLConnection.HTTP_UNAVAILABLE
                || code == HttpURLConnection.HTTP_INTERNAL_ERROR;
    }

    /** Whether this process may not send the request, whatever the version in it. */
    public boolean isDenied() {
        return code == HttpURLConnection.HTTP_UNAUTHORIZED || code == HttpURLConnection.HTTP_FORBIDDEN;
    }
}
