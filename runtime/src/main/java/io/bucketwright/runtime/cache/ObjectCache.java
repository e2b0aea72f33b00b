package io.bucketwright.runtime.cache;

import io.bucketwright.runtime.keepalive.WatchStatus;
import io.bucketwright.runtime.objects.Metadata;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.informers.ResourceEventHandler;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
import io.fabric8.kubernetes.client.informers.cache.Cache;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The objects of one kind in one scope: those of the informer, with the latest writes of this process on top. No read costs a request. Objects
 * are shared by everybody who reads: never change one, patch it through the writer.
 */
public final class ObjectCache<T extends HasMetadata> implements Source<T> {

    private static final Logger log = LoggerFactory.getLogger(ObjectCache.class);

    private final Scope scope;
    private final SharedIndexInformer<T> informer;
    private final Supplier<WatchStatus> watch;
    private final CompletableFuture<Void> listed = new CompletableFuture<>();
    private final UnaryOperator<T> trim;
    private final WriteOverlay<T> overlay;
    private final AtomicInteger indexes = new AtomicInteger();

    ObjectCache(Scope scope, SharedIndexInformer<T> informer, UnaryOperator<T> trim, Supplier<WatchStatus> watch) {
        this.scope = scope;
        this.informer = informer;
        this.trim = trim;
        this.watch = watch;
        this.overlay = new WriteOverlay<>(
                key -> Optional.ofNullable(informer.getStore().getByKey(key)),
                () -> ResourceVersion.of(informer.lastSyncResourceVersion()));
        informer.addEventHandler(new Pruning());
    }

    /**
     * The object of that name.
     *
     * @param namespace empty for cluster-scoped kinds
     */
    public Optional<T> get(String namespace, String name) {
        return overlay.get(Cache.namespaceKeyFunc(namespace, name));
    }

    @Override
    public List<T> list() {
        return overlay.over(() -> informer.getStore().list(), object -> true);
    }

    /** Makes objects findable by what the function finds in them; call it before the caches start. */
    public Index<T> indexBy(Function<T, List<String>> values) {
        String name = "index-" + indexes.incrementAndGet();
        Function<T, List<String>> safe = object -> orElse(List.of(), object, values);
        informer.addIndexers(Map.of(name, safe));
        return value -> overlay.over(
                () -> informer.getIndexer().byIndex(name, value),
                object -> safe.apply(object).contains(value));
    }

    /**
     * The value of the function; if it throws, the fallback. An exception inside an informer would lose the event, and at
     * the first list all objects: one object that nobody expected must not hide the others.
     */
    static <T extends HasMetadata, R> R orElse(R fallback, T object, Function<T, R> function) {
        try {
            return function.apply(object);
        } catch (RuntimeException e) {
            log.warn(
                    "{} {} cannot be read completely, please report this",
                    object.getKind(),
                    Cache.metaNamespaceKeyFunc(object),
                    e);
            return fallback;
        }
    }

    @Override
    public void listen(CacheListener<? super T> listener) {
        informer.addEventHandler(new Forwarding<>(listener));
    }

    @Override
    public boolean synced() {
        return informer.lastSyncResourceVersion() != null;
    }

    /** Whether the informer is alive: it never stops by itself, only when closed. */
    public boolean running() {
        return informer.isRunning();
    }

    /** Writes the informer has not caught up with. */
    public int ahead() {
        overlay.pruneAll();
        return overlay.size();
    }

    void start() {
        informer.start().whenComplete((_, failure) -> {
            if (failure == null) {
                listed.complete(null);
            } else {
                listed.completeExceptionally(failure);
            }
        });
    }

    /** Completes with the first list and watch, however long the API server is unavailable; fails only when closed before. */
    CompletableFuture<Void> listed() {
        return listed;
    }

    WatchStatus watch() {
        return watch.get();
    }

    boolean isStuck() {
        return watch().stuck();
    }

    boolean hasEnded() {
        return !running();
    }

    void close() {
        informer.stop();
        listed.completeExceptionally(new CancellationException("closed"));
    }

    void written(T object) {
        TrimmedItemStore.withoutManagedFields(object);
        if (isEnded(object)) {
            deleted(object);
        } else if (scope.contains(object)) {
            overlay.written(Cache.metaNamespaceKeyFunc(object), trimmed(object));
        } else {
            overlay.left(Cache.metaNamespaceKeyFunc(object), trimmed(object));
        }
    }

    void deleted(T last) {
        overlay.deleted(Cache.metaNamespaceKeyFunc(last), trimmed(last));
    }

    /** As the informer holds it: otherwise an object would look different until the informer has caught up. */
    private T trimmed(T object) {
        return orElse(object, object, trim);
    }

    /** The response to removing the last finalizer still shows the object at its old version, but it no longer exists. */
    private static boolean isEnded(HasMetadata object) {
        Long grace = object.getMetadata().getDeletionGracePeriodSeconds();
        return Metadata.isBeingDeleted(object)
                && Metadata.finalizers(object).isEmpty()
                && (grace == null || grace == 0);
    }

    private final class Pruning implements ResourceEventHandler<T> {
        @Override
        public void onAdd(T object) {
            overlay.prune(Cache.metaNamespaceKeyFunc(object));
        }

        @Override
        public void onUpdate(T before, T after) {
            overlay.prune(Cache.metaNamespaceKeyFunc(after));
        }

        @Override
        public void onDelete(T object, boolean finalStateUnknown) {
            overlay.prune(Cache.metaNamespaceKeyFunc(object));
        }

        @Override
        public void onList(String resourceVersion, boolean remainedEmpty) {
            overlay.pruneAll();
        }
    }

    private record Forwarding<T extends HasMetadata>(CacheListener<? super T> listener)
            implements ResourceEventHandler<T> {
        @Override
        public void onAdd(T object) {
            listener.changed(object, object);
        }

        @Override
        public void onUpdate(T before, T after) {
            // After a relist fabric8 reports an object that was deleted and created again as an update.
            if (before.getMetadata().getUid().equals(after.getMetadata().getUid())) {
                listener.changed(before, after);
            } else {
                listener.deleted(before);
                listener.changed(after, after);
            }
        }

        @Override
        public void onDelete(T object, boolean finalStateUnknown) {
            listener.deleted(object);
        }
    }
}
