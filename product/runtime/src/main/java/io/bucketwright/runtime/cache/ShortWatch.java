package io.bucketwright.runtime.cache;

import io.fabric8.kubernetes.api.model.HasMetadata;
import java.util.List;

/** A list and watch that somebody waits for, and closes. */
public record ShortWatch<T extends HasMetadata>(ObjectCache<T> cache) implements AutoCloseable {

    /** All objects. */
    public List<T> list() {
        return cache.list();
    }

    /** Whether the first list has ended. */
    public boolean synced() {
        return cache.synced();
    }

    /** Why the objects cannot be listed or watched at present, in one sentence; empty if they can. */
    public String problem() {
        return cache.problem();
    }

    @Override
    public void close() {
        cache.close();
    }
}
