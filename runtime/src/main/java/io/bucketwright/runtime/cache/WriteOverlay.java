package io.bucketwright.runtime.cache;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.informers.cache.Cache;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Writes of this process that the informer has not shown yet, by namespace and name. An entry that the informer has caught
 * up with is never used, and is removed when it is next read.
 */
final class WriteOverlay<T extends HasMetadata> {

    /** The informer below. */
    interface Base<T> {

        @Nullable
        T get(String key);

        /** All events up to here are in the base. */
        ResourceVersion upTo();
    }

    sealed interface Entry<T> {

        String uid();

        ResourceVersion version();

        record Written<T>(T object, String uid, ResourceVersion version) implements Entry<T> {}

        /** Out of the scope as of this version. */
        record Left<T>(String uid, ResourceVersion version) implements Entry<T> {}

        /** Deleted; the response does not contain the version, only the last one before it is known. */
        record Deleted<T>(String uid, ResourceVersion version) implements Entry<T> {}
    }

    private final Base<T> base;
    private final Map<String, Entry<T>> entries = new ConcurrentHashMap<>();

    WriteOverlay(Base<T> base) {
        this.base = base;
    }

    void written(String key, T object) {
        put(key, new Entry.Written<>(object, object.getMetadata().getUid(), ResourceVersion.of(object)));
    }

    void left(String key, T object) {
        put(key, new Entry.Left<>(object.getMetadata().getUid(), ResourceVersion.of(object)));
    }

    void deleted(String key, T last) {
        put(key, new Entry.Deleted<>(last.getMetadata().getUid(), ResourceVersion.of(last)));
    }

    /** The newest known state of the object: from here if this is newer than the base. */
    Optional<T> get(String key) {
        return switch (entry(key)) {
            case null -> Optional.ofNullable(base.get(key));
            case Entry.Written<T> written -> Optional.of(newer(base.get(key), written));
            case Entry.Left<T> left -> successor(key, left);
            case Entry.Deleted<T> deleted -> successor(key, deleted);
        };
    }

    /** A list from the base, with newer objects from here in place of those of the base. */
    List<T> over(Supplier<List<T>> base, Predicate<T> wanted) {
        // Keys of the overlay first: what is removed here in between is in the base by then. In the other order a write
        // would
        // for a moment be in neither.
        Set<String> above = new HashSet<>(entries.keySet());
        List<T> below = base.get();
        if (above.isEmpty()) {
            return List.copyOf(below);
        }
        Stream<T> unchanged = below.stream().filter(object -> !above.contains(Cache.metaNamespaceKeyFunc(object)));
        Stream<T> own = above.stream().map(this::get).flatMap(Optional::stream).filter(wanted);
        return Stream.concat(unchanged, own).toList();
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
        boolean sameLife = young.uid().equals(old.uid());
        if (sameLife && old instanceof Entry.Deleted) {
            return young instanceof Entry.Deleted;
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
        boolean seen = base.upTo().atLeast(entry.version());
        @Nullable T object = base.get(key);
        return switch (entry) {
            case Entry.Written<T> _, Entry.Left<T> _ -> seen;
            // The base has passed the last version that existed: if this life is not there, its end was seen.
            case Entry.Deleted<T> deleted -> seen && (object == null || !hasUid(object, deleted.uid()));
        };
    }

    /** The object that has the name after this entry's object; a late base can still show the one before it. */
    private Optional<T> successor(String key, Entry<T> entry) {
        return Optional.ofNullable(base.get(key))
                .filter(object -> !hasUid(object, entry.uid()))
                .filter(object -> ResourceVersion.of(object).atLeast(entry.version()));
    }

    private T newer(@Nullable T below, Entry.Written<T> written) {
        return below != null && ResourceVersion.of(below).atLeast(written.version()) ? below : written.object();
    }

    private static boolean hasUid(HasMetadata object, String uid) {
        return uid.equals(object.getMetadata().getUid());
    }
}
