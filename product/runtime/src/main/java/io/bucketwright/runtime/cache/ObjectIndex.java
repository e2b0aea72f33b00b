package io.bucketwright.runtime.cache;

import io.fabric8.kubernetes.api.model.HasMetadata;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The keys of the objects in which a function finds a value, by that value. One thread at a time changes it. */
final class ObjectIndex<T extends HasMetadata> {

    private final Function<T, List<String>> values;
    private final Map<String, Set<String>> keys = new ConcurrentHashMap<>();

    ObjectIndex(Function<T, List<String>> values) {
        this.values = values;
    }

    /** What the function finds in the object; nothing if it fails. */
    List<String> values(T object) {
        return InformerStore.orElse(List.of(), object, any -> List.copyOf(values.apply(any)));
    }

    Set<String> keys(String value) {
        return keys.getOrDefault(value, Set.of());
    }

    /** The object under this key changed; null if it did not or does not exist. */
    void replace(String key, @Nullable T before, @Nullable T after) {
        List<String> old = before == null ? List.of() : values(before);
        List<String> now = after == null ? List.of() : values(after);
        // Added first: an object that keeps one of its values is never missing there.
        for (String value : now) {
            if (!old.contains(value)) {
                keys.compute(value, (_, present) -> with(present, key));
            }
        }
        for (String value : old) {
            if (!now.contains(value)) {
                keys.computeIfPresent(value, (_, present) -> without(present, key));
            }
        }
    }

    /** Most values belong to one object: a set that can grow is made only for the second one. */
    private static Set<String> with(@Nullable Set<String> present, String key) {
        if (present == null) {
            return Set.of(key);
        }
        if (present instanceof ConcurrentHashMap.KeySetView<?, ?>) {
            present.add(key);
            return present;
        }
        Set<String> more = ConcurrentHashMap.newKeySet();
        more.addAll(present);
        more.add(key);
        return more;
    }

    private static @Nullable Set<String> without(Set<String> present, String key) {
        if (present instanceof ConcurrentHashMap.KeySetView<?, ?>) {
            present.remove(key);
            return present.isEmpty() ? null : present;
        }
        return present.contains(key) ? null : present;
    }
}
