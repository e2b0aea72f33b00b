package io.bucketwright.runtime.testing;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.bucketwright.runtime.cache.Scope;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.informers.ExceptionHandler;
import io.fabric8.kubernetes.client.informers.ResourceEventHandler;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
import io.fabric8.kubernetes.client.informers.cache.Indexer;
import io.fabric8.kubernetes.client.informers.cache.ItemStore;
import io.fabric8.kubernetes.client.informers.cache.Store;
import io.fabric8.kubernetes.client.informers.impl.cache.CacheImpl;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** An informer of an {@link InMemoryApiServer} that shows a change only when it is delivered. */
final class InMemoryInformer<T extends HasMetadata> implements SharedIndexInformer<T> {

    private record Event<T>(boolean deleted, T object, long version) {}

    private final InMemoryApiServer server;
    private final Class<T> type;
    private final Scope scope;
    private final UnaryOperator<T> trim;
    private final CacheImpl<T> cache = new CacheImpl<>();
    private final List<ResourceEventHandler<? super T>> handlers = new ArrayList<>();
    private final Deque<Event<T>> pending = new ArrayDeque<>();
    private @Nullable String version;
    private boolean running;

    InMemoryInformer(InMemoryApiServer server, Class<T> type, Scope scope, UnaryOperator<T> trim) {
        this.server = server;
        this.type = type;
        this.scope = scope;
        this.trim = trim;
    }

    @Override
    public CompletionStage<Void> start() {
        running = true;
        server.copies(type).stream()
                .filter(scope::contains)
                .forEach(object -> apply(new Event<>(false, object, server.version())));
        version = Long.toString(server.version());
        server.watch(this);
        return CompletableFuture.completedFuture(null);
    }

    /** An object of the kind changed; null if it did not or does not exist. */
    void changed(@Nullable ObjectNode before, @Nullable ObjectNode after, long atVersion) {
        @Nullable T current = after == null ? null : InMemoryApiServer.JSON.convertValue(after, type);
        if (current != null && scope.contains(current)) {
            pending.add(new Event<>(false, current, atVersion));
        } else if (before != null) {
            T former = InMemoryApiServer.JSON.convertValue(before, type);
            if (scope.contains(former)) {
                pending.add(new Event<>(true, former, atVersion));
            }
        }
    }

    /** Shows the next change; false if there is none. */
    boolean deliverNext() {
        @Nullable Event<T> event = pending.poll();
        if (event == null) {
            version = Long.toString(server.version());
            handlers.forEach(handler -> handler.onList(Long.toString(server.version()), false));
            return false;
        }
        apply(event);
        return true;
    }

    private void apply(Event<T> event) {
        T object = trim.apply(event.object());
        @Nullable T before = event.deleted() ? cache.remove(object) : cache.put(object);
        version = Long.toString(event.version());
        for (ResourceEventHandler<? super T> handler : handlers) {
            if (event.deleted()) {
                handler.onDelete(before == null ? object : before, false);
            } else if (before == null) {
                handler.onAdd(object);
            } else {
                handler.onUpdate(before, object);
            }
        }
    }

    @Override
    public SharedIndexInformer<T> addIndexers(Map<String, Function<T, List<String>>> indexers) {
        cache.addIndexers(indexers);
        return this;
    }

    @Override
    public SharedIndexInformer<T> removeIndexer(String name) {
        cache.removeIndexer(name);
        return this;
    }

    @Override
    public Indexer<T> getIndexer() {
        return cache;
    }

    @Override
    public Store<T> getStore() {
        return cache;
    }

    @Override
    public SharedIndexInformer<T> addEventHandler(ResourceEventHandler<? super T> handler) {
        handlers.add(handler);
        return this;
    }

    @Override
    public SharedIndexInformer<T> removeEventHandler(ResourceEventHandler<? super T> handler) {
        handlers.remove(handler);
        return this;
    }

    @Override
    public SharedIndexInformer<T> addEventHandlerWithResyncPeriod(ResourceEventHandler<? super T> handler, long ms) {
        return addEventHandler(handler);
    }

    @Override
    public SharedIndexInformer<T> run() {
        start();
        return this;
    }

    @Override
    public void stop() {
        running = false;
        server.unwatch(this);
    }

    @Override
    @SuppressWarnings("NullAway") // null until the first list, as in fabric8
    public String lastSyncResourceVersion() {
        return version;
    }

    @Override
    public boolean isRunning() {
        return running;
    }

    @Override
    public boolean isWatching() {
        return running;
    }

    @Override
    public Class<T> getApiTypeClass() {
        return type;
    }

    @Override
    public SharedIndexInformer<T> initialState(Stream<T> items) {
        throw new UnsupportedOperationException();
    }

    @Override
    public SharedIndexInformer<T> itemStore(ItemStore<T> store) {
        throw new UnsupportedOperationException();
    }

    @Override
    public SharedIndexInformer<T> exceptionHandler(ExceptionHandler handler) {
        return this;
    }

    @Override
    public CompletionStage<Void> stopped() {
        return new CompletableFuture<>();
    }
}
