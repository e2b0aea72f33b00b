package io.bucketwright.runtime.client;

import java.io.IOException;
import java.net.HttpURLConnection;

/** The API server refused a list or a watch. */
public final class ListWatchException extends IOException {

    private static final long serialVersionUID = 1L;

    private static final int TOO_MANY_REQUESTS = 429;

    private final int code;

    public ListWatchException(int code, String message) {
        super(message);
        this.code = code;
    }

    /** Whether the version to go on from is too old, so that everything must be listed again. */
    public boolean isExpired() {
        return code == HttpURLConnection.HTTP_GONE;
    }

    /** Whether the same request may succeed later, because the server has too much to do or is starting. */
    public boolean isBusy() {
        return code == TOO_MANY_REQUESTS || code == HttpURLConnection.HTTP_UNAVAILABLE;
    }
}
