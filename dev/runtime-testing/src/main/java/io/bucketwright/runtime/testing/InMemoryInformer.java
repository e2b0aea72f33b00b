package io.bucketwright.runtime.testing;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.bucketwright.runtime.Moment;
import io.bucketwright.runtime.cache.Informer;
import io.bucketwright.runtime.cache.InformerStore;
import io.bucketwright.runtime.cache.Scope;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** An informer of an {@link InMemoryApiServer} that shows a change only when it is delivered. */
final class InMemoryInformer<T extends HasMetadata> implements Informer {

    private record Event<T>(boolean deleted, T object, long version) {}

    private final InMemoryApiServer server;
    private final Class<T> type;
    private final Scope scope;
    private final InformerStore<T> store;
    private final Deque<Event<T>> pending = new ArrayDeque<>();
    private boolean running;

    InMemoryInformer(InMemoryApiServer server, Class<T> type, Scope scope, InformerStore<T> store) {
        this.server = server;
        this.type = type;
        this.scope = scope;
        this.store = store;
    }

    @Override
    public void start() {
        running = true;
        Set<String> keys = new HashSet<>();
        server.copies(type).stream().filter(scope::contains).forEach(object -> keys.add(store.listed(object)));
        store.complete(keys, Long.toString(server.version()));
        server.watch(this);
    }

    @Override
    public CompletableFuture<Void> listed() {
        return CompletableFuture.completedFuture(null);
    }

    /** Delivers everything at once. */
    @Override
    public CompletableFuture<Boolean> current(Moment since, BooleanSupplier wanted) {
        while (running && deliverNext()) {
            // Until the store is as new as the server.
        }
        return CompletableFuture.completedFuture(true);
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
            store.reached(Long.toString(server.version()));
            return false;
        }
        if (event.deleted()) {
            store.deleted(event.object(), Long.toString(event.version()));
        } else {
            store.changed(event.object());
        }
        return true;
    }

    Class<T> type() {
        return type;
    }

    @Override
    public boolean running() {
        return running;
    }

    @Override
    public void close() {
        running = false;
        server.unwatch(this);
    }
}
