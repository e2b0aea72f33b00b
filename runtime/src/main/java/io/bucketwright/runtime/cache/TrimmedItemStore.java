package io.bucketwright.runtime.cache;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.informers.cache.BasicItemStore;
import io.fabric8.kubernetes.client.informers.cache.Cache;
import java.util.List;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** Holds the objects of one informer without what no controller reads: managedFields, and whatever the trim removes. */
final class TrimmedItemStore<T extends HasMetadata> extends BasicItemStore<T> {

    private final UnaryOperator<T> trim;

    TrimmedItemStore(UnaryOperator<T> trim) {
        super(Cache::metaNamespaceKeyFunc);
        this.trim = trim;
    }

    static <T extends HasMetadata> T withoutManagedFields(T object) {
        object.getMetadata().setManagedFields(List.of());
        return object;
    }

    @Override
    public @Nullable T put(String key, T object) {
        T bare = withoutManagedFields(object);
        return super.put(key, ObjectCache.orElse(bare, bare, trim));
    }
}
