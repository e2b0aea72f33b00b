package io.bucketwright.runtime.keepalive;

import java.time.Duration;

/**
 * How a list or watch is doing.
 *
 * @param silence since when nothing was received for it
 * @param silent whether that is longer than it may be
 * @param lost whether it is silent, or the API server has refused it for long
 * @param stuck whether it is silent for so long, or its credentials rejected, that the process does not recover by itself
 * @param code of the last response, 0 if there was none
 */
public record WatchStatus(Duration silence, boolean silent, boolean lost, boolean stuck, int code) {

    public static WatchStatus healthy() {
        return new WatchStatus(Duration.ZERO, false, false, false, 200);
    }

    /** Whether the API server refuses it: the kind does not exist, or a permission is missing. */
    public boolean isRefused() {
        return isRefusal(code);
    }

    static boolean isRefusal(int code) {
        // 410: the version to watch from has expired, which is normal.
        return code >= 400 && code != 410;
    }
}
