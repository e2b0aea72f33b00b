package io.bucketwright.buckets.claims;

import io.bucketwright.api.Phase;
import io.bucketwright.store.errors.Retry;
import io.bucketwright.store.errors.StoreException;

/**
 * Why a claim does not go on, as its owner reads it.
 *
 * @param reason one word in CamelCase, for machines
 * @param message what happened and what to do, for people
 * @param phase of a claim that is not bound yet
 * @param untilChange whether only a change of claim, class or credentials helps, so that nothing is tried before one
 */
record Trouble(String reason, String message, Phase phase, boolean untilChange) {

    static Trouble untilChange(String reason, String message) {
        return new Trouble(reason, message, Phase.FAILED, true);
    }

    /** Only a change helps, but one that nobody tells us of: look again now and then. */
    static Trouble unseen(String reason, String message) {
        return new Trouble(reason, message, Phase.FAILED, false);
    }

    static Trouble of(StoreException e) {
        String message = e.getMessage() == null ? "The store gave no reason." : e.getMessage();
        boolean untilChange = e.retry() == Retry.REQUIRES_CHANGE;
        return new Trouble(reason(e), message, untilChange ? Phase.FAILED : Phase.PENDING, untilChange);
    }

    private static String reason(StoreException e) {
        return switch (e) {
            case StoreException.Invalid _ -> "Invalid";
            case StoreException.Denied _ -> "StoreDenied";
            case StoreException.Taken _ -> "BucketTaken";
            case StoreException.NotFound _ -> "BucketNotFound";
            case StoreException.NotEmpty _ -> "BucketNotEmpty";
            case StoreException.Unavailable _ -> "StoreUnavailable";
            case StoreException.Unsupported _ -> "Unsupported";
        };
    }
}
