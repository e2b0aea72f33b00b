package io.bucketwright.runtime.cache;

import io.fabric8.kubernetes.api.model.HasMetadata;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiPredicate;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Writes of this process that the informer has not shown yet, by namespace and name. An entry that the informer has caught
 * up with is never used, and is removed when it is next read.
 */
final class WriteOverlay<T extends HasMetadata> {

    private enum Effect {
        WRITTEN,
        /** Out of the scope as of this version. */
        LEFT_SCOPE,
        /** Deleted; the response does not contain the version, only the last one before it is known. */
        DELETED
    }

    /**
     * One write.
     *
     * @param found what indexes found in the object: each lookup by index looks at all entries
     */
    private record Entry<T extends HasMetadata>(
            Effect effect, T object, ResourceVersion version, Map<ObjectIndex<T>, List<String>> found) {

        Entry(Effect effect, T object) {
            this(effect, object, ResourceVersion.of(object), new ConcurrentHashMap<>(4));
        }

        List<String> values(ObjectIndex<T> index) {
            return found.computeIfAbsent(index, any -> any.values(object));
        }

        boolean isAbout(HasMetadata other) {
            return object.getMetadata().getUid().equals(other.getMetadata().getUid());
        }
    }

    private final Function<String, Optional<T>> base;
    private final Supplier<ResourceVersion> baseVersion;
    private final Map<String, Entry<T>> entries = new ConcurrentHashMap<>();

    /**
     * An empty overlay.
     *
     * @param base finds an object in the informer
     * @param baseVersion the version up to which all events are in the informer
     */
    WriteOverlay(Function<String, Optional<T>> base, Supplier<ResourceVersion> baseVersion) {
        this.base = base;
        this.baseVersion = baseVersion;
    }

    void written(String key, T object) {
        put(key, new Entry<>(Effect.WRITTEN, object));
    }

    /** The object as this process wrote it, if its newest write has exactly this version; null otherwise. */
    @Nullable
    T written(String key, String uid, String version) {
        @Nullable Entry<T> entry = entries.get(key);
        return entry != null
                        && entry.effect() == Effect.WRITTEN
                        && version.equals(entry.object().getMetadata().getResourceVersion())
                        && uid.equals(entry.object().getMetadata().getUid())
                ? entry.object()
                : null;
    }

    void left(String key, T object) {
        put(key, new Entry<>(Effect.LEFT_SCOPE, object));
    }

    void deleted(String key, T last) {
        put(key, new Entry<>(Effect.DELETED, last));
    }

    /** The newest known state of the object: from here if this is newer than the base. */
    Optional<T> get(String key) {
        @Nullable Entry<T> entry = entry(key);
        Optional<T> below = base.apply(key);
        if (entry == null) {
            return below;
        }
        Optional<T> newer = below.filter(object -> ResourceVersion.of(object).atLeast(entry.version()));
        return entry.effect() == Effect.WRITTEN
                ? newer.or(() -> Optional.of(entry.object()))
                // Another object has the name by now; a late base can still show the one before.
                : newer.filter(object -> !entry.isAbout(object));
    }

    /** A list from the base, with newer objects from here in place of those of the base. */
    List<T> over(Supplier<List<T>> base, Predicate<T> wanted) {
        return over(base, (_, object) -> wanted.test(object));
    }

    /** The same for the objects in which the index finds the value. */
    List<T> over(Supplier<List<T>> base, ObjectIndex<T> index, String value) {
        return over(base, (entry, object) -> {
            boolean own = entry.isAbout(object) && entry.version().equals(ResourceVersion.of(object));
            return (own ? entry.values(index) : index.values(object)).contains(value);
        });
    }

    private List<T> over(Supplier<List<T>> base, BiPredicate<Entry<T>, T> wanted) {
        // The overlay first: what is removed here in between is in the base by then. In the other order a write would
        // for a moment be in neither.
        Map<String, Entry<T>> above = entries.isEmpty() ? Map.of() : new HashMap<>(entries);
        List<T> below = base.get();
        if (above.isEmpty()) {
            return List.copyOf(below);
        }
        List<T> merged = new ArrayList<>();
        for (T object : below) {
            if (!above.containsKey(InformerStore.key(object))) {
                merged.add(object);
            }
        }
        above.forEach((key, entry) ->
                get(key).filter(object -> wanted.test(entry, object)).ifPresent(merged::add));
        return List.copyOf(merged);
    }

    /**
     * Own writes up to this version that the base does not have, although it has been listed up to there: somebody deleted
     * these objects before the base showed them.
     */
    List<T> missingAt(ResourceVersion listed) {
        return entries.entrySet().stream()
                .filter(each -> isMissing(each.getKey(), each.getValue(), listed))
                .map(each -> each.getValue().object())
                .toList();
    }

    private boolean isMissing(String key, Entry<T> entry, ResourceVersion listed) {
        return entry.effect() == Effect.WRITTEN
                && listed.atLeast(entry.version())
                && base.apply(key).filter(entry::isAbout).isEmpty();
    }

    /** The base changed under this key. */
    void prune(String key) {
        entry(key);
    }

    /** The base was listed again as a whole. */
    void pruneAll() {
        entries.keySet().forEach(this::entry);
    }

    int size() {
        return entries.size();
    }

    private void put(String key, Entry<T> entry) {
        // Answers of two writes can be recorded in the other order: the older must not hide the newer.
        entries.merge(key, entry, (old, young) -> supersedes(young, old) ? young : old);
        // The event may have come before the answer; its prune found nothing then, so look once more.
        entry(key);
    }

    private static boolean supersedes(Entry<?> young, Entry<?> old) {
        if (young.isAbout(old.object()) && old.effect() == Effect.DELETED) {
            return young.effect() == Effect.DELETED;
        }
        return young.version().atLeast(old.version());
    }

    /** The entry, unless the base has caught up with it. */
    private @Nullable Entry<T> entry(String key) {
        Entry<T> entry = entries.get(key);
        if (entry != null && caughtUp(key, entry)) {
            entries.remove(key, entry);
            return null;
        }
        return entry;
    }

    private boolean caughtUp(String key, Entry<T> entry) {
        // Only the version that the whole base has reached counts. The object itself is there a moment before the
        // base's indexes know it, and in that moment a list by index would find it in neither.
        boolean seen = baseVersion.get().atLeast(entry.version());
        // The base has passed the last version that existed: if the deleted object is not there, its end was seen.
        return seen
                && (entry.effect() != Effect.DELETED
                        || base.apply(key).filter(entry::isAbout).isEmpty());
    }
}
