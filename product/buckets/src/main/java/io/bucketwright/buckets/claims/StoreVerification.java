package io.bucketwright.buckets.claims;

import io.bucketwright.runtime.Moment;
import io.bucketwright.store.MissingPart;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;

/**
 * The schedule and the last result of verifying that the store still has what a bound claim needs, in this leadership term.
 *
 * @param next when to verify; empty if not scheduled yet
 * @param missing what the store lacked at the last verification; empty if there was none
 * @param confirmed whether the last two verifications found another owner
 */
record StoreVerification(Optional<Moment> next, Optional<Set<MissingPart>> missing, boolean confirmed) {

    static final StoreVerification NONE = new StoreVerification(Optional.empty(), Optional.empty(), false);

    /** The delay before the next verification while something is missing. */
    static final Duration RECHECK = Duration.ofMinutes(5);

    /** The delay before another owner is confirmed by a second verification. */
    static final Duration CONFIRM = Duration.ofMinutes(1);

    /** Schedules the first verification of the claim. */
    static StoreVerification scheduled(Duration interval, ClaimObservation now) {
        Moment next = now.moment().plus(untilSlot(now.key().uid(), interval, now.now()));
        return new StoreVerification(Optional.of(next), Optional.empty(), false);
    }

    /** The state after a verification that found these parts missing. */
    StoreVerification answered(Set<MissingPart> parts, Duration interval, ClaimObservation asked) {
        boolean replaced = parts.contains(MissingPart.OWNERSHIP);
        boolean again = replaced && isReplaced();
        Duration slot = untilSlot(asked.key().uid(), interval, asked.now());
        Duration soon = replaced && !again ? CONFIRM : RECHECK;
        return new StoreVerification(
                Optional.of(asked.moment().plus(parts.isEmpty() || slot.compareTo(soon) < 0 ? slot : soon)),
                Optional.of(Set.copyOf(parts)),
                again);
    }

    /**
     * The bucket has another owner, and the user of this claim could still have access to it. One answer is not enough:
     * stores that answer from a cache can name the owner of an earlier bucket of that name for a while.
     */
    boolean isExposed() {
        return confirmed
                && missing.filter(
                                parts -> !parts.contains(MissingPart.PRINCIPAL) && !parts.contains(MissingPart.ACCESS))
                        .isPresent();
    }

    private boolean isReplaced() {
        return missing.filter(parts -> parts.contains(MissingPart.OWNERSHIP)).isPresent();
    }

    /** After the user of the claim was deleted. */
    StoreVerification revoked() {
        Set<MissingPart> parts = EnumSet.of(MissingPart.PRINCIPAL);
        missing.ifPresent(parts::addAll);
        return new StoreVerification(next, Optional.of(Set.copyOf(parts)), confirmed);
    }

    boolean isDue(Moment now) {
        return next.filter(time -> !now.since(time).isNegative()).isPresent();
    }

    /**
     * Each claim has its own times, computed from its uid: neither a start nor many claims cause a burst, and processes that
     * restart often do not skip the verification. The delay to the next one counts on the monotonic clock.
     */
    static Duration untilSlot(String uid, Duration interval, Instant now) {
        long period = interval.toMillis();
        long phase = Math.floorMod(uid.hashCode() * 2_654_435_761L, period);
        long passed = Math.floorMod(now.toEpochMilli() - phase, period);
        return Duration.ofMillis(period - passed);
    }
}
