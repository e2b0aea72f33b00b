package io.bucketwright.buckets.claims;

/** Why a claim does not make progress, as its owner reads it. */
record Problem(String reason, String message, Recovery recovery) {

    enum Recovery {
        RETRY,
        UNWATCHED_CHANGE,
        CHANGE
    }

    static Problem retryable(String reason, String message) {
        return new Problem(reason, message, Recovery.RETRY);
    }

    static Problem requiresUnwatchedChange(String reason, String message) {
        return new Problem(reason, message, Recovery.UNWATCHED_CHANGE);
    }

    static Problem requiresChange(String reason, String message) {
        return new Problem(reason, message, Recovery.CHANGE);
    }
}
