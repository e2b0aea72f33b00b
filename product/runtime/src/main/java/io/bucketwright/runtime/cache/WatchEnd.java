package io.bucketwright.runtime.cache;

import java.time.Duration;

/**
 * How a watch ended.
 *
 * @param relist whether everything must be listed again, because events may be missing
 * @param failed whether the server reported an error in the watch
 * @param requestedWait how long the server requests to wait, zero if it does not
 * @param reopen whether this process ended it, to see sooner what has happened
 * @param reason for the log
 */
record WatchEnd(boolean relist, boolean failed, Duration requestedWait, boolean reopen, String reason) {

    /** The server, the network or this process closed it; the next watch goes on where it ended. */
    static WatchEnd closed(String reason) {
        return new WatchEnd(false, false, Duration.ZERO, false, reason);
    }

    /** The server cannot go on at present; the next watch goes on where this one ended. */
    static WatchEnd busy(Duration wait, String reason) {
        return new WatchEnd(false, true, wait, false, reason);
    }

    /** The version to go on from has expired, or an event cannot be understood. */
    static WatchEnd incomplete(String reason) {
        return new WatchEnd(true, true, Duration.ZERO, false, reason);
    }

    /** This process begins again at once: with a list, or with a watch that soon sends a bookmark. */
    static WatchEnd reopened(boolean relist) {
        return new WatchEnd(relist, false, Duration.ZERO, true, "opened again by this process");
    }
}
