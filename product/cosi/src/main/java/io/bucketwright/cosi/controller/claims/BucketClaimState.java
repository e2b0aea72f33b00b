package io.bucketwright.cosi.controller.claims;

import io.bucketwright.runtime.Moment;

/**
 * What this process knows about a claim between two steps.
 *
 * @param waitingFor what the claim waits for, one of the reasons; empty if it waits for nothing
 * @param since when this process saw first that it waits for that
 * @param reason of the last event; empty if there was none
 * @param message of the last event
 * @param unready whether this process saw the claim before it was ready, so that it reports when it is
 */
record BucketClaimState(String waitingFor, Moment since, String reason, String message, boolean unready) {

    private static final Moment START = new Moment(0);
    static final BucketClaimState NONE = new BucketClaimState("", START, "", "", false);

    BucketClaimState waiting(String what, Moment now) {
        return new BucketClaimState(what, now, reason, message, unready);
    }

    BucketClaimState reported(String newReason, String newMessage) {
        return new BucketClaimState(waitingFor, since, newReason, newMessage, unready);
    }

    /** After a write: what was reported before it is over. */
    BucketClaimState progressed(boolean stillUnready) {
        return new BucketClaimState("", START, "", "", stillUnready);
    }

    boolean hasReported(String newReason, String newMessage) {
        return reason.equals(newReason) && message.equals(newMessage);
    }
}
