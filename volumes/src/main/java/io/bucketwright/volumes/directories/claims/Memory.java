package io.bucketwright.volumes.directories.claims;

import io.bucketwright.runtime.ObjectKey;
import io.bucketwright.volumes.directories.files.Marker;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.UnaryOperator;

/** What only this process knows of claims it works on. Losing it costs a step done twice. */
final class Memory {

    /**
     * How far the work on one claim has come.
     *
     * @param made for which plan the directory was made; empty if for none
     * @param owned for which plan it has its owner
     * @param told the last message to the claim's owner
     * @param since when the work began, on the monotonic clock
     */
    record Progress(Optional<Marker> made, Optional<Marker> owned, String told, long since) {
        boolean isMadeFor(Marker marker) {
            return made.filter(marker::equals).isPresent();
        }

        boolean isOwnedFor(Marker marker) {
            return owned.filter(marker::equals).isPresent();
        }
    }

    private final Map<ObjectKey, Progress> known = new ConcurrentHashMap<>();

    Progress of(ObjectKey key, long now) {
        return known.getOrDefault(key, nothing(now));
    }

    private static Progress nothing(long now) {
        return new Progress(Optional.empty(), Optional.empty(), "", now);
    }

    void made(ObjectKey key, Marker marker, long now) {
        change(key, now, old -> new Progress(Optional.of(marker), old.owned(), old.told(), old.since()));
    }

    void owned(ObjectKey key, Marker marker, long now) {
        change(key, now, old -> new Progress(old.made(), Optional.of(marker), old.told(), old.since()));
    }

    void told(ObjectKey key, String message, long now) {
        change(key, now, old -> new Progress(old.made(), old.owned(), message, old.since()));
    }

    /** The work on it begins, if it has not. */
    void began(ObjectKey key, long now) {
        change(key, now, old -> old);
    }

    private void change(ObjectKey key, long now, UnaryOperator<Progress> change) {
        known.compute(key, (_, old) -> change.apply(old == null ? nothing(now) : old));
    }

    void forget(ObjectKey key) {
        known.remove(key);
    }
}
