package io.bucketwright.cosi.controller.claims;

import java.time.Instant;

/**
 * What this process knows about a claim between two steps.
 *
 * @param waitingFor what the claim waits for, one of the reasons; empty if it waits for nothing
 * @param since when this process saw first that it waits for that
 * @param reason of the last event; empty if there was none
 * @param message of the last event
 * @param unready whether this process saw the claim before it was ready, so that it reports when it is
 */
record InFlightClaim(String waitingFor, Instant since, String reason, String message, boolean unready) {

    static final InFlightClaim NONE = new InFlightClaim("", Instant.EPOCH, "", "", false);

    InFlightClaim waiting(String what, Instant now) {
        return new InFlightClaim(what, now, reason, message, unready);
    }

    InFlightClaim reported(String newReason, String newMessage) {
        return new InFlightClaim(waitingFor, since, newReason, newMessage, unready);
    }

    /** After a write: what was reported before it is over. */
    InFlightClaim progressed(boolean stillUnready) {
        return new InFlightClaim("", Instant.EPOCH, "", "", stillUnready);
    }

    boolean hasReported(String newReason, String newMessage) {
        return reason.equals(newReason) && message.equals(newMessage);
    }
}
