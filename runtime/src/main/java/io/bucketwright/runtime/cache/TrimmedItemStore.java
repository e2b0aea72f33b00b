package io.bucketwright.runtime.cache;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.informers.cache.Cache;
import io.fabric8.kubernetes.client.informers.cache.ItemStore;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Holds the objects of one informer without what nobody reads: managedFields, and whatever the trim takes off. */
final class TrimmedItemStore<T extends HasMetadata> implements ItemStore<T> {

    private final ConcurrentMap<String, T> objects = new ConcurrentHashMap<>();
    private final UnaryOperator<T> trim;

    TrimmedItemStore(UnaryOperator<T> trim) {
        this.trim = trim;
    }

    static <T extends HasMetadata> T withoutManagedFields(T object) {
        object.getMetadata().setManagedFields(List.of());
        return object;
    }

    @Override
    public String getKey(T object) {
        return Cache.metaNamespaceKeyFunc(object);
    }

    @Override
    public @Nullable T put(String key, T object) {
        return objects.put(key, trim.apply(withoutManagedFields(object)));
    }

    @Override
    public @Nullable T remove(String key) {
        return objects.remove(key);
    }

    @Override
    public Stream<String> keySet() {
        return objects.keySet().stream();
    }

    @Override
    public Stream<T> values() {
        return objects.values().stream();
    }

    @Override
    public int size() {
        return objects.size();
    }

    @Override
    public @Nullable T get(String key) {
        return objects.get(key);
    }
}
