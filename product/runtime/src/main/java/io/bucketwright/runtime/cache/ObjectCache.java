package io.bucketwright.runtime.cache;

import io.bucketwright.runtime.Moment;
import io.bucketwright.runtime.ObjectSize;
import io.bucketwright.runtime.json.ObjectHeader;
import io.bucketwright.runtime.keepalive.WatchStatus;
import io.bucketwright.runtime.objects.Metadata;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.BooleanSupplier;
import java.util.function.Function;

/**
 * The objects of one kind in one scope: those of the informer, with the latest writes of this process on top. No read costs a request. Objects
 * are shared by everybody who reads: never change one, patch it through the writer.
 */
public final class ObjectCache<T extends HasMetadata> implements Source<T> {

    private final Scope scope;
    private final InformerStore<T> store;
    private final Informer informer;

    ObjectCache(Scope scope, InformerStore<T> store, Informer informer) {
        this.scope = scope;
        this.store = store;
        this.informer = informer;
    }

    /**
     * The object of that name.
     *
     * @param namespace empty for cluster-scoped kinds
     */
    public Optional<T> get(String namespace, String name) {
        return store.overlay().get(InformerStore.key(namespace, name));
    }

    @Override
    public List<T> list() {
        return store.overlay().over(store::list, object -> true);
    }

    /** Makes objects findable by what the function finds in them; call it before the caches start. */
    public Index<T> indexBy(Function<T, List<String>> values) {
        ObjectIndex<T> index = store.indexBy(values);
        return value -> store.overlay().over(() -> store.list(index, value), index, value);
    }

    @Override
    public void listen(CacheListener<? super T> listener) {
        store.listen(listener);
    }

    @Override
    public boolean synced() {
        return !store.version().value().isEmpty();
    }

    /** Whether the informer is alive: it never stops by itself, only when closed. */
    public boolean running() {
        return informer.running();
    }

    /** Writes the informer has not caught up with. */
    public int ahead() {
        store.overlay().pruneAll();
        return store.overlay().size();
    }

    void start() {
        informer.start();
    }

    /** See {@link Informer#listed}. */
    CompletableFuture<Void> listed() {
        return informer.listed();
    }

    /** See {@link Informer#current}. */
    CompletableFuture<Boolean> current(Moment since, BooleanSupplier wanted) {
        return informer.current(since, wanted);
    }

    WatchStatus watch() {
        return informer.status();
    }

    /** Why the objects cannot be listed or watched at present; empty if they can. */
    String problem() {
        return informer.problem();
    }

    void close() {
        informer.close();
    }

    void written(T object) {
        String key = InformerStore.key(object);
        if (isEnded(object)) {
            deleted(object);
        } else if (scope.contains(object)) {
            store.overlay().written(key, store.trimmed(object));
        } else {
            store.overlay().left(key, store.trimmed(object));
        }
    }

    /** Exactly this version, if a watch was faster than the response to the write; never a trimmed object. */
    Optional<T> observed(ObjectHeader header) {
        return store.holdsWholeObjects()
                ? store.get(InformerStore.key(header))
                        .filter(object ->
                                header.uid().equals(object.getMetadata().getUid()))
                        .filter(object ->
                                header.version().equals(object.getMetadata().getResourceVersion()))
                        .filter(object -> !ObjectSize.isTooLarge(object))
                : Optional.empty();
    }

    void deleted(T last) {
        store.overlay().deleted(InformerStore.key(last), store.trimmed(last));
    }

    /** The response to removing the last finalizer still shows the object at its old version, but it no longer exists. */
    private static boolean isEnded(HasMetadata object) {
        Long grace = object.getMetadata().getDeletionGracePeriodSeconds();
        return Metadata.isBeingDeleted(object)
                && Metadata.finalizers(object).isEmpty()
                && (grace == null || grace == 0);
    }
}
