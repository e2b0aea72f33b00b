package io.bucketwright.cosi.driver;

import io.bucketwright.store.Progress;
import io.bucketwright.store.StoreCall;
import io.bucketwright.store.errors.StoreException.Unavailable;
import java.time.Instant;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * The buckets whose creation a store did not confirm, in memory. The store may create such a bucket later, also after it was
 * deleted. So it counts as deleted only after a second deletion, some time after the first one.
 */
final class LateRequests {

    private static final int MOST = 10_000;

    private final InstantSource time;
    private final LinkedHashMap<String, Unconfirmed> buckets = new LinkedHashMap<>();

    private record Unconfirmed(Instant at, Optional<Instant> deletedAt) {}

    LateRequests(InstantSource time) {
        this.time = time;
    }

    /** Creates the bucket, and remembers it if the store does not confirm that. */
    <R> R create(String bucket, Supplier<R> creation) {
        try {
            return creation.get();
        } catch (Unavailable e) {
            add(bucket);
            throw e;
        }
    }

    /**
     * Deletes the bucket.
     *
     * @param deletion deletes it in the store; its argument is false if another deletion must follow
     */
    Deletion delete(String bucket, Function<Boolean, Progress> deletion) {
        boolean last = isLast(bucket);
        return switch (deletion.apply(last)) {
            case Progress.More _ -> Deletion.CONTINUES;
            case Progress.Done _ when last -> Deletion.DONE;
            case Progress.Done _ -> {
                deletedOnce(bucket);
                yield Deletion.REPEATED;
            }
        };
    }

    /** How far a deletion is. */
    enum Deletion {
        DONE,
        /** Objects are left. */
        CONTINUES,
        /** The bucket does not exist, but the store may still create it. */
        REPEATED
    }

    private synchronized boolean isLast(String bucket) {
        Instant now = time.instant();
        buckets.values().removeIf(it -> now.isAfter(it.at().plus(StoreCall.LONGEST_OUTAGE)));
        return Optional.ofNullable(buckets.get(bucket))
                .map(found -> found.deletedAt()
                        .filter(at -> !now.isBefore(at.plus(StoreCall.LATE)))
                        .isPresent())
                .orElse(true);
    }

    private synchronized void deletedOnce(String bucket) {
        Instant now = time.instant();
        buckets.computeIfPresent(
                bucket,
                (_, found) -> new Unconfirmed(found.at(), found.deletedAt().or(() -> Optional.of(now))));
    }

    private synchronized void add(String bucket) {
        buckets.remove(bucket);
        buckets.put(bucket, new Unconfirmed(time.instant(), Optional.empty()));
        if (buckets.size() > MOST) {
            buckets.pollFirstEntry();
        }
    }
}
