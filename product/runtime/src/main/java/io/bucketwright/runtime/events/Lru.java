package io.bucketwright.runtime.events;

import java.util.LinkedHashMap;
import java.util.Map;

/** Remembers what was used last and forgets the rest. */
final class Lru<K, V> extends LinkedHashMap<K, V> {

    private final int most;

    Lru(int most) {
        super(16, 0.75f, true);
        this.most = most;
    }

    @Override
    protected boolean removeEldestEntry(Map.Entry<K, V> eldest) {
        return size() > most;
    }
}
