package io.bucketwright.runtime.cache;

/**
 * How a watch ended.
 *
 * @param relist whether everything must be listed again, because events may be missing
 * @param reason for the log
 */
record WatchEnd(boolean relist, String reason) {

    /** The server, the network or this process closed it; the next watch goes on where it ended. */
    static WatchEnd closed(String reason) {
        return new WatchEnd(false, reason);
    }

    /** The version to go on from has expired, or an event cannot be understood. */
    static WatchEnd incomplete(String reason) {
        return new WatchEnd(true, reason);
    }
}
