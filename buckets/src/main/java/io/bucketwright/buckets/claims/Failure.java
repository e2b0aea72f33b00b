package io.bucketwright.buckets.claims;

import java.time.Instant;

/**
 * Something that failed, remembered so that the echo of our own status write does not try it again at once.
 *
 * @param concern what it stands in the way of
 * @param inputs what it depended on: another value is a change, and a reason to try now
 * @param attempts how often in a row
 */
record Failure(Step.Concern concern, Trouble trouble, String inputs, int attempts, Instant notBefore) {

    /** Whether it must not be tried again yet. */
    boolean holds(Step.Concerned now, Instant time) {
        return concern == now.concern()
                && inputs.equals(now.inputs())
                && (trouble.untilChange() || time.isBefore(notBefore));
    }
}
