package io.bucketwright.buckets.claims;

import io.bucketwright.store.MissingPart;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;

/**
 * When the store is asked whether it still has what a bound claim needs, and what it has answered in this leadership term.
 *
 * @param next empty if that is not decided yet
 * @param missing empty if the store has not been asked
 * @param confirmed the store has named another owner twice in succession
 */
record StoreVerification(Optional<Instant> next, Optional<Set<MissingPart>> missing, boolean confirmed) {

    static final StoreVerification NONE = new StoreVerification(Optional.empty(), Optional.empty(), false);

    /** How soon the store is asked again while something is missing. */
    static final Duration RECHECK = Duration.ofMinutes(5);

    /** How soon a store that has named another owner is asked whether that is so. */
    static final Duration CONFIRM = Duration.ofMinutes(1);

    /** The next time for this claim. */
    static StoreVerification scheduled(String uid, Duration interval, Instant now) {
        return new StoreVerification(Optional.of(slot(uid, interval, now)), Optional.empty(), false);
    }

    /** What the store has answered after this, and when to ask again. */
    StoreVerification answered(Set<MissingPart> parts, String uid, Duration interval, Instant now) {
        boolean replaced = parts.contains(MissingPart.OWNERSHIP);
        boolean again = replaced && isReplaced();
        Instant slot = slot(uid, interval, now);
        Instant soon = now.plus(replaced && !again ? CONFIRM : RECHECK);
        return new StoreVerification(
                Optional.of(parts.isEmpty() || slot.isBefore(soon) ? slot : soon),
                Optional.of(Set.copyOf(parts)),
                again);
    }

    /**
     * The bucket has another owner, and the user of this claim could still have access to it. One answer is not enough:
     * stores that answer from memory can name the owner of an earlier bucket of that name for a while.
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

    boolean isDue(Instant now) {
        return next.filter(time -> !now.isBefore(time)).isPresent();
    }

    /**
     * Each claim has its own times, computed from its uid: neither a start nor many claims cause a burst, and processes that
     * restart often do not skip the verification.
     */
    private static Instant slot(String uid, Duration interval, Instant now) {
        long period = interval.toMillis();
        long phase = Math.floorMod(uid.hashCode() * 2_654_435_761L, period);
        long passed = Math.floorMod(now.toEpochMilli() - phase, period);
        return now.plusMillis(period - passed);
    }
}
