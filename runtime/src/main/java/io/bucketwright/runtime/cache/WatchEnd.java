package io.bucketwright.runtime.cache;

import java.time.Duration;

/**
 * How a watch ended.
 *
 * @param relist whether everything must be listed again, because events may be missing
 * @param failed whether the server reported an error in the watch
 * @param requestedWait how long the server requests to wait, zero if it does not
 * @param reason for the log
 */
record WatchEnd(boolean relist, boolean failed, Duration requestedWait, String reason) {

    /** The server, the network or this process closed it; the next watch goes on where it ended. */
    static WatchEnd closed(String reason) {
        return new WatchEnd(false, false, Duration.ZERO, reason);
    }

    /** The server cannot go on at present; the next watch goes on where this one ended. */
    static WatchEnd busy(Duration wait, String reason) {
        return new WatchEnd(false, true, wait, reason);
    }

    /** The version to go on from has expired, or an event cannot be understood. */
    static WatchEnd incomplete(String reason) {
        return new WatchEnd(true, true, Duration.ZERO, reason);
    }
}
