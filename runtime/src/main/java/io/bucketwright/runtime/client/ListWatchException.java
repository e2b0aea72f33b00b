package io.bucketwright.runtime.client;

import java.io.IOException;
import java.net.HttpURLConnection;

/** The API server refused a list or a watch. */
public final class ListWatchException extends IOException {

    private static final long serialVersionUID = 1L;

    private final int code;

    public ListWatchException(int code, String message) {
        super(message);
        this.code = code;
    }

    /** Whether the version to go on from is too old, so that everything must be listed again. */
    public boolean isExpired() {
        return code == HttpURLConnection.HTTP_GONE;
    }
}
