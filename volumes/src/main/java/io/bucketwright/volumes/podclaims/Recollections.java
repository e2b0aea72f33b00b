package io.bucketwright.volumes.podclaims;

import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.UnaryOperator;

/** The memory of this process, by volume. */
final class Recollections {

    private final ConcurrentMap<VolumeKey, Recollection> all = new ConcurrentHashMap<>();

    Recollection of(VolumeKey key) {
        return all.getOrDefault(key, Recollection.blank());
    }

    void change(VolumeKey key, UnaryOperator<Recollection> change) {
        all.compute(key, (same, old) -> change.apply(old == null ? Recollection.blank() : old));
    }

    void forget(VolumeKey key) {
        all.remove(key);
    }
}
