package io.bucketwright.runtime.cache;

import io.bucketwright.runtime.client.ResourceKind;
import io.bucketwright.runtime.client.WriteListener;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** All informers of the process, each shared by all controllers that use the same kind and scope. */
public final class ObjectCaches implements WriteListener, AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger(ObjectCaches.class);

    private record Id(ResourceKind<?> kind, Scope scope) {}

    private final InformerSource informers;
    private final Map<Id, ObjectCache<?>> caches = new LinkedHashMap<>();
    private final List<CompletableFuture<Void>> starts = new ArrayList<>();
    private boolean started;
    private boolean closed;

    public ObjectCaches(KubernetesClient client, MeterRegistry meters) {
        this(new ClientInformers(client), meters);
    }

    public ObjectCaches(InformerSource informers, MeterRegistry meters) {
        this.informers = informers;
        Gauge.builder("bucketwright.cache.ahead", this, ObjectCaches::ahead)
                .description("Own writes that the informers have not shown yet")
                .register(meters);
    }

    /** The cache of this kind and scope. */
    public <T extends HasMetadata> ObjectCache<T> of(Class<T> type, Scope scope) {
        return of(type, scope, UnaryOperator.identity());
    }

    /**
     * The cache of this kind and scope, holding of each object only what the trim leaves. The first call decides the
     * trim: use one per kind and scope.
     */
    public synchronized <T extends HasMetadata> ObjectCache<T> of(Class<T> type, Scope scope, UnaryOperator<T> trim) {
        if (closed) {
            throw new IllegalStateException("The caches are closed; request " + type.getSimpleName() + " before that");
        }
        Id id = new Id(ResourceKind.of(type), scope);
        ObjectCache<?> known = caches.get(id);
        if (known == null) {
            known = new ObjectCache<>(scope, informers.informer(type, scope, trim));
            caches.put(id, known);
            if (started) {
                starts.add(known.start());
            }
        }
        @SuppressWarnings("unchecked") // the id holds the type, and the entry was made from it
        ObjectCache<T> result = (ObjectCache<T>) known;
        return result;
    }

    /** An informer for a short watch, neither shared nor started; the caller starts and closes it. */
    public <T extends HasMetadata> SharedIndexInformer<T> informer(Class<T> type, Scope scope) {
        return informers.informer(type, scope, UnaryOperator.identity());
    }

    /** Begins to list and watch; returns at once. Waits for an unavailable API server in the background, however long. */
    public synchronized void start() {
        started = true;
        caches.values().forEach(cached -> starts.add(cached.start()));
    }

    /** Waits for the first list of everything; false if the caches were closed before. */
    public boolean awaitSynced() throws InterruptedException {
        CompletableFuture<?>[] all;
        synchronized (this) {
            all = starts.toArray(CompletableFuture<?>[]::new);
        }
        try {
            CompletableFuture.allOf(all).get();
            return true;
        } catch (ExecutionException e) {
            log.debug("Closed before the first list was there", e);
            return false;
        }
    }

    /** Kinds whose first list is missing. */
    public List<String> missing() {
        return kinds(cache -> !cache.synced());
    }

    /** Kinds whose informer has stopped, which must not happen before {@link #close}. */
    public List<String> ended() {
        return kinds(cache -> started && !cache.running());
    }

    private synchronized List<String> kinds(Predicate<ObjectCache<?>> which) {
        return caches.entrySet().stream()
                .filter(entry -> which.test(entry.getValue()))
                .map(entry -> entry.getKey().kind().plural())
                .toList();
    }

    @Override
    public <T extends HasMetadata> void written(ResourceKind<T> kind, T object) {
        of(kind).forEach(cached -> cached.written(object));
    }

    @Override
    public <T extends HasMetadata> void deleted(ResourceKind<T> kind, T last) {
        of(kind).forEach(cached -> cached.deleted(last));
    }

    @Override
    public synchronized void close() {
        closed = true;
        caches.values().forEach(ObjectCache::close);
    }

    private synchronized int ahead() {
        return caches.values().stream().mapToInt(ObjectCache::ahead).sum();
    }

    @SuppressWarnings("unchecked") // the id holds the kind, and the entry was made from it
    private synchronized <T extends HasMetadata> List<ObjectCache<T>> of(ResourceKind<T> kind) {
        return caches.entrySet().stream()
                .filter(entry -> entry.getKey().kind().equals(kind))
                .map(entry -> (ObjectCache<T>) entry.getValue())
                .toList();
    }
}
