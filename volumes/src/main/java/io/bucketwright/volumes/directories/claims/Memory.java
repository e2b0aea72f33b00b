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
     * @param limited for which plan the file system was asked to enforce its size
     * @param enforced whether it does
     * @param told the last message to the claim's owner
     * @param since when the work began, on the monotonic clock
     */
    record Progress(
            Optional<Marker> made,
            Optional<Marker> owned,
            Optional<Marker> limited,
            boolean enforced,
            String told,
            long since) {

        static Progress none(long now) {
            return new Progress(Optional.empty(), Optional.empty(), Optional.empty(), false, "", now);
        }

        Progress withMade(Marker marker) {
            return new Progress(Optional.of(marker), owned, limited, enforced, told, since);
        }

        Progress withOwned(Marker marker) {
            return new Progress(made, Optional.of(marker), limited, enforced, told, since);
        }

        Progress withLimited(Marker marker, boolean byFileSystem) {
            return new Progress(made, owned, Optional.of(marker), byFileSystem, told, since);
        }

        Progress withTold(String message) {
            return new Progress(made, owned, limited, enforced, message, since);
        }

        boolean isMadeFor(Marker marker) {
            return made.filter(marker::equals).isPresent();
        }

        boolean isLimitedFor(Marker marker) {
            return limited.filter(marker::equals).isPresent();
        }

        boolean isOwnedFor(Marker marker) {
            return owned.filter(marker::equals).isPresent();
        }
    }

    private final Map<ObjectKey, Progress> known = new ConcurrentHashMap<>();

    Progress of(ObjectKey key, long now) {
        return known.getOrDefault(key, Progress.none(now));
    }

    void made(ObjectKey key, Marker marker, long now) {
        change(key, now, old -> old.withMade(marker));
    }

    void owned(ObjectKey key, Marker marker, long now) {
        change(key, now, old -> old.withOwned(marker));
    }

    void limited(ObjectKey key, Marker marker, boolean enforced, long now) {
        change(key, now, old -> old.withLimited(marker, enforced));
    }

    void told(ObjectKey key, String message, long now) {
        change(key, now, old -> old.withTold(message));
    }

    /** The work on it begins, if it has not. */
    void began(ObjectKey key, long now) {
        change(key, now, old -> old);
    }

    private void change(ObjectKey key, long now, UnaryOperator<Progress> change) {
        known.compute(key, (_, old) -> change.apply(old == null ? Progress.none(now) : old));
    }

    void forget(ObjectKey key) {
        known.remove(key);
    }
}
