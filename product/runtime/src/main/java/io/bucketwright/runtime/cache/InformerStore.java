package io.bucketwright.runtime.cache;

import io.bucketwright.runtime.json.ObjectHeader;
import io.bucketwright.runtime.objects.CompactMetadata;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The objects that an informer has listed and watched, without what no controller reads, and the version up to which they
 * are complete. Only the informer changes it; reading takes no lock. Listeners are called for one event at a time, after the
 * store and its indexes show it.
 */
public final class InformerStore<T extends HasMetadata> {

    private static final Logger log = LoggerFactory.getLogger(InformerStore.class);

    /** Leaves objects as they are, and their metadata too. */
    private record Whole<T>() implements UnaryOperator<T> {
        @Override
        public T apply(T object) {
            return object;
        }
    }

    private final UnaryOperator<T> trim;
    private final UnaryOperator<T> limit;
    private final Map<String, T> objects = new ConcurrentHashMap<>();
    private final List<ObjectIndex<T>> indexes = new CopyOnWriteArrayList<>();
    private final List<CacheListener<? super T>> listeners = new CopyOnWriteArrayList<>();
    private final WriteOverlay<T> overlay = new WriteOverlay<>(this::get, this::version);
    private volatile ResourceVersion version = ResourceVersion.of("");

    /**
     * An empty store.
     *
     * @param trim removes from each object what no controller reads
     */
    public InformerStore(UnaryOperator<T> trim) {
        this(trim, UnaryOperator.identity());
    }

    /**
     * An empty store.
     *
     * @param limit limits the size of what the trim leaves
     */
    InformerStore(UnaryOperator<T> trim, UnaryOperator<T> limit) {
        this.trim = trim;
        this.limit = limit;
    }

    /** The trim of a store whose objects are replaced as a whole: it keeps also what no controller reads. */
    static <T extends HasMetadata> UnaryOperator<T> whole() {
        return new Whole<>();
    }

    static String key(@Nullable String namespace, String name) {
        return namespace == null || namespace.isEmpty() ? name : namespace + "/" + name;
    }

    static String key(ObjectHeader object) {
        return key(object.namespace(), object.name());
    }

    static String key(HasMetadata object) {
        return key(object.getMetadata().getNamespace(), object.getMetadata().getName());
    }

    /** An object of a list that has not ended. Returns its key, for {@link #complete}. */
    public synchronized String listed(T object) {
        String key = key(object);
        show(key, trimmed(object));
        return key;
    }

    /**
     * A list has ended: what it did not contain does not exist.
     *
     * @param keys of all objects of the list
     */
    public synchronized void complete(Set<String> keys, String upTo) {
        List<T> deletedUnseen = overlay.missingAt(ResourceVersion.of(upTo));
        for (String key : List.copyOf(objects.keySet())) {
            if (!keys.contains(key)) {
                remove(key);
            }
        }
        advance(ResourceVersion.of(upTo));
        overlay.pruneAll();
        deletedUnseen.forEach(last -> notifyListeners(listener -> listener.deleted(last)));
    }

    /** A watch shows that the object is new or changed. */
    public synchronized void changed(T object) {
        String key = key(object);
        T kept = trimmed(object);
        show(key, kept, ResourceVersion.of(object));
    }

    /**
     * A watch repeats the write of this process that the overlay has: its object is shown, and the content of the event is
     * not needed. False if the overlay does not have exactly that version.
     */
    synchronized boolean echoed(String key, String uid, String atVersion) {
        @Nullable T own = overlay.written(key, uid, atVersion);
        if (own == null) {
            return false;
        }
        show(key, own, ResourceVersion.of(atVersion));
        return true;
    }

    /** A watch shows that the object was deleted, or left the scope. */
    public synchronized void deleted(T last, String atVersion) {
        if (!deleted(key(last), last.getMetadata().getUid(), atVersion)) {
            T gone = trimmed(last);
            notifyListeners(listener -> listener.deleted(gone));
        }
    }

    /** The same, if only the key and the uid are known. False if the store does not have the object. */
    synchronized boolean deleted(String key, String uid, String atVersion) {
        @Nullable T last = objects.get(key);
        if (last == null || !Objects.equals(last.getMetadata().getUid(), uid)) {
            advance(ResourceVersion.of(atVersion));
            overlay.prune(key);
            return false;
        }
        objects.remove(key);
        indexes.forEach(index -> index.replace(key, last, null));
        advance(ResourceVersion.of(atVersion));
        overlay.prune(key);
        notifyListeners(listener -> listener.deleted(last));
        return true;
    }

    /** Nothing else happened up to this version. */
    public synchronized void reached(String upTo) {
        advance(ResourceVersion.of(upTo));
        overlay.pruneAll();
    }

    /** Calls the listener for each object that exists and for each later change. */
    synchronized void listen(CacheListener<? super T> listener) {
        objects.values().forEach(object -> call(listener, any -> any.changed(object, object)));
        listeners.add(listener);
    }

    synchronized ObjectIndex<T> indexBy(Function<T, List<String>> values) {
        ObjectIndex<T> index = new ObjectIndex<>(values);
        objects.forEach((key, object) -> index.replace(key, null, object));
        indexes.add(index);
        return index;
    }

    Optional<T> get(String key) {
        return Optional.ofNullable(objects.get(key));
    }

    List<T> list() {
        return List.copyOf(objects.values());
    }

    List<T> list(ObjectIndex<T> index, String value) {
        List<T> found = new ArrayList<>();
        for (String key : index.keys(value)) {
            @Nullable T object = objects.get(key);
            if (object != null) {
                found.add(object);
            }
        }
        return found;
    }

    /** The version up to which all objects are here; empty before the first list has ended. */
    ResourceVersion version() {
        return version;
    }

    private void advance(ResourceVersion reached) {
        version = reached;
        notifyAll();
    }

    /** Waits until the condition holds, which is checked after each change of the version; false if it takes longer. */
    synchronized boolean await(BooleanSupplier condition, Duration atMost) throws InterruptedException {
        long end = System.nanoTime() + atMost.toNanos();
        while (!condition.getAsBoolean()) {
            long left = end - System.nanoTime();
            if (left <= 0) {
                return false;
            }
            TimeUnit.NANOSECONDS.timedWait(this, left);
        }
        return true;
    }

    /** Whether the trim leaves objects as they are. */
    boolean holdsWholeObjects() {
        return trim.equals(UnaryOperator.<T>identity()) || trim instanceof Whole;
    }

    WriteOverlay<T> overlay() {
        return overlay;
    }

    /** As the store holds it. */
    T trimmed(T object) {
        T kept = orElse(object, object, trim);
        if (!(trim instanceof Whole)) {
            CompactMetadata.compact(kept.getMetadata());
        }
        return limit.apply(kept);
    }

    /**
     * The value of the function; if it throws, also an Error, the fallback. An exception inside an informer would lose the event, and at
     * the first list all objects: one object that nobody expected must not hide the others.
     */
    static <T extends HasMetadata, R> R orElse(R fallback, T object, Function<T, R> function) {
        try {
            return function.apply(object);
        } catch (Throwable e) {
            log.warn("{} {} cannot be read completely, please report this", object.getKind(), key(object), e);
            return fallback;
        }
    }

    private void show(String key, T after) {
        show(key, after, version);
    }

    private void show(String key, T after, ResourceVersion reached) {
        @Nullable T before = objects.get(key);
        if (before != null && isSameVersion(before, after)) {
            advance(reached);
            overlay.prune(key);
            return;
        }
        if (before != null && isSameObject(before, after)) {
            CompactMetadata.share(after.getMetadata(), before.getMetadata());
        }
        objects.put(key, after);
        indexes.forEach(index -> index.replace(key, before, after));
        advance(reached);
        overlay.prune(key);
        if (before == null) {
            notifyListeners(listener -> listener.changed(after, after));
        } else if (isSameObject(before, after)) {
            notifyListeners(listener -> listener.changed(before, after));
        } else {
            // Deleted and created again while nobody watched.
            notifyListeners(listener -> listener.deleted(before));
            notifyListeners(listener -> listener.changed(after, after));
        }
    }

    private static boolean isSameObject(HasMetadata before, HasMetadata after) {
        return Objects.equals(before.getMetadata().getUid(), after.getMetadata().getUid());
    }

    private static boolean isSameVersion(HasMetadata before, HasMetadata after) {
        return isSameObject(before, after) && ResourceVersion.of(before).equals(ResourceVersion.of(after));
    }

    private void remove(String key) {
        @Nullable T last = objects.remove(key);
        if (last != null) {
            indexes.forEach(index -> index.replace(key, last, null));
            overlay.prune(key);
            notifyListeners(listener -> listener.deleted(last));
        }
    }

    private void notifyListeners(Consumer<CacheListener<? super T>> call) {
        listeners.forEach(listener -> call(listener, call));
    }

    private void call(CacheListener<? super T> listener, Consumer<CacheListener<? super T>> call) {
        try {
            call.accept(listener);
        } catch (Throwable e) {
            log.error("A listener of a cache failed; this is a defect in the listener, please report it", e);
        }
    }
}
