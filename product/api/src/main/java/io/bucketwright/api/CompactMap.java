package io.bucketwright.api;

import java.util.AbstractMap;
import java.util.AbstractSet;
import java.util.Collections;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * An immutable map that keeps the order, in one array: a quarter of the memory of a {@link LinkedHashMap}. Caches hold very
 * many small maps. It compares the keys one by one, so larger maps are copied into the usual one.
 */
final class CompactMap<V extends @Nullable Object> extends AbstractMap<String, V> {

    private static final int LARGEST = 16;

    /** Each key, followed by its value. */
    private final @Nullable Object[] content;

    private CompactMap(Map<String, V> map) {
        this.content = new Object[2 * map.size()];
        int i = 0;
        for (Map.Entry<String, V> entry : map.entrySet()) {
            content[i++] = entry.getKey();
            content[i++] = entry.getValue();
        }
    }

    static <V extends @Nullable Object> Map<String, V> copyOf(Map<String, V> map) {
        if (map.isEmpty()) {
            return Map.of();
        }
        if (map instanceof CompactMap) {
            return map;
        }
        return map.size() > LARGEST ? Collections.unmodifiableMap(new LinkedHashMap<>(map)) : new CompactMap<>(map);
    }

    @Override
    public int size() {
        return content.length / 2;
    }

    @Override
    public boolean containsKey(@Nullable Object key) {
        return indexOf(key) >= 0;
    }

    @Override
    public @Nullable V get(@Nullable Object key) {
        int index = indexOf(key);
        return index < 0 ? null : value(index);
    }

    @Override
    public Set<Map.Entry<String, V>> entrySet() {
        return new AbstractSet<>() {
            @Override
            public int size() {
                return CompactMap.this.size();
            }

            @Override
            public Iterator<Map.Entry<String, V>> iterator() {
                return new Entries();
            }
        };
    }

    private int indexOf(@Nullable Object key) {
        for (int i = 0; i < content.length; i += 2) {
            if (key(i).equals(key)) {
                return i;
            }
        }
        return -1;
    }

    private String key(int index) {
        return String.valueOf(content[index]);
    }

    @SuppressWarnings({"unchecked", "NullAway"}) // the constructor puts a V there, and V may be nullable
    private V value(int index) {
        return (V) content[index + 1];
    }

    private final class Entries implements Iterator<Map.Entry<String, V>> {

        private int next;

        @Override
        public boolean hasNext() {
            return next < content.length;
        }

        @Override
        public Map.Entry<String, V> next() {
            if (!hasNext()) {
                throw new NoSuchElementException();
            }
            Map.Entry<String, V> entry = new SimpleImmutableEntry<>(key(next), value(next));
            next += 2;
            return entry;
        }
    }
}
