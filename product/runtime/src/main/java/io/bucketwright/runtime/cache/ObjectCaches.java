package io.bucketwright.runtime.cache;

import io.bucketwright.runtime.Moment;
import io.bucketwright.runtime.client.ApiConnection;
import io.bucketwright.runtime.client.ResourceKind;
import io.bucketwright.runtime.client.WriteListener;
import io.bucketwright.runtime.json.ObjectHeader;
import io.bucketwright.runtime.keepalive.WatchStatus;
import io.bucketwright.runtime.size.ObjectLimit;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Namespaced;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The informers of the process, each shared by all controllers that use the same kind, scope and trim. {@link #ofRole} returns
 * a view for the caches of one role: what is missing there does not stop the other roles.
 */
public final class ObjectCaches implements WriteListener, AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger(ObjectCaches.class);

    /** A leader whose API server does not respond for that long does not lead any more, and the next term has current caches. */
    private static final Duration UNCONFIRMED = Duration.ofSeconds(10);

    private record Id(ResourceKind<?> kind, Scope scope, UnaryOperator<?> trim, boolean limited) {}

    /** What all views of a process share; also the lock of all of them. */
    private static final class Shared {

        private final InformerSource informers;
        private final ObjectLimit limit = new ObjectLimit();
        private final Map<Id, ObjectCache<?>> caches = new LinkedHashMap<>();
        /** The same caches, for each write. */
        private final Map<ResourceKind<?>, List<ObjectCache<?>>> byKind = new ConcurrentHashMap<>();

        private boolean started;
        private boolean closed;

        Shared(InformerSource informers) {
            this.informers = informers;
        }
    }

    private final Shared shared;
    /** What was requested through this view. */
    private final Map<Id, ObjectCache<?>> requested = new LinkedHashMap<>();

    public ObjectCaches(ApiConnection connection, MeterRegistry meters) {
        this(new ClientInformers(connection), meters);
    }

    public ObjectCaches(InformerSource informers, MeterRegistry meters) {
        this(new Shared(informers));
        Gauge.builder("bucketwright.cache.ahead", this, ObjectCaches::ahead)
                .description("Own writes that the informers have not shown yet")
                .register(meters);
        Gauge.builder("bucketwright.watches.stale", this, ObjectCaches::stale)
                .description("Kinds that are not listed yet, or whose watch is refused or silent for too long")
                .register(meters);
    }

    private ObjectCaches(Shared shared) {
        this.shared = shared;
    }

    /** The same informers, for one role. */
    public ObjectCaches ofRole() {
        return new ObjectCaches(shared);
    }

    /**
     * The cache of this kind and scope. An object that tenants made too large is there in part, with a mark: see
     * {@link io.bucketwright.runtime.ObjectSize}. Report it, and do not serve it.
     */
    public <T extends HasMetadata> ObjectCache<T> of(Class<T> type, Scope scope) {
        return of(type, scope, UnaryOperator.identity());
    }

    /**
     * The cache of this kind and scope, with objects of any size: only for kinds that administrators, or our own controllers,
     * write.
     */
    public <T extends HasMetadata> ObjectCache<T> unlimited(Class<T> type, Scope scope) {
        return unlimited(type, scope, UnaryOperator.identity());
    }

    /** The cache of this kind and scope, with objects of any size, as {@link #unlimited}, that can be replaced, as {@link #whole}. */
    public <T extends HasMetadata> ObjectCache<T> unlimitedWhole(Class<T> type, Scope scope) {
        return unlimited(type, scope, InformerStore.whole());
    }

    private <T extends HasMetadata> ObjectCache<T> unlimited(Class<T> type, Scope scope, UnaryOperator<T> trim) {
        if (Namespaced.class.isAssignableFrom(type)) {
            throw new IllegalArgumentException("Tenants can write objects of kind " + HasMetadata.getKind(type)
                    + ": their size in a cache must be limited");
        }
        return of(type, scope, trim, false);
    }

    /**
     * The cache of this kind and scope, with whole objects, so that they can be replaced: nothing is left out but the managers
     * of fields, which the API server keeps if a request has none, and what is too large, which {@code ApiWriter.replace} reads.
     */
    public <T extends HasMetadata> ObjectCache<T> whole(Class<T> type, Scope scope) {
        return of(type, scope, InformerStore.whole());
    }

    /**
     * The cache of this kind and scope, holding of each object only what the trim leaves, also of this process's own writes.
     *
     * @param trim returns another object and leaves the one it gets unchanged
     */
    public <T extends HasMetadata> ObjectCache<T> of(Class<T> type, Scope scope, UnaryOperator<T> trim) {
        return of(type, scope, trim, true);
    }

    private <T extends HasMetadata> ObjectCache<T> of(
            Class<T> type, Scope scope, UnaryOperator<T> trim, boolean limited) {
        Id id = new Id(ResourceKind.of(type), scope, trim, limited);
        synchronized (shared) {
            if (shared.closed) {
                throw new IllegalStateException(
                        "The caches are closed; request " + type.getSimpleName() + " before that");
            }
            ObjectCache<?> known = shared.caches.get(id);
            if (known == null) {
                InformerStore<T> store =
                        limited ? new InformerStore<>(trim, shared.limit::apply) : new InformerStore<>(trim);
                known = new ObjectCache<>(scope, store, shared.informers.informer(type, scope, store));
                shared.caches.put(id, known);
                shared.byKind
                        .computeIfAbsent(id.kind(), _ -> new CopyOnWriteArrayList<>())
                        .add(known);
                if (shared.started) {
                    known.start();
                }
            }
            requested.put(id, known);
            @SuppressWarnings("unchecked") // the id holds the type, and the entry was made from it
            ObjectCache<T> result = (ObjectCache<T>) known;
            return result;
        }
    }

    /** Lists and watches for a short time, beginning now; not shared, and not part of what is missing or stuck here. */
    public <T extends HasMetadata> ShortWatch<T> watch(Class<T> type, Scope scope, CacheListener<? super T> listener) {
        InformerStore<T> store = new InformerStore<>(UnaryOperator.identity(), shared.limit::apply);
        Informer informer = shared.informers.informer(type, scope, store);
        ObjectCache<T> cache = new ObjectCache<>(scope, store, informer);
        cache.listen(listener);
        cache.start();
        return new ShortWatch<>(cache);
    }

    /** Begins to list and watch everything; returns at once. Waits for an unavailable API server in the background, however long. */
    public void start() {
        synchronized (shared) {
            shared.started = !shared.closed;
            if (shared.started) {
                shared.caches.values().forEach(ObjectCache::start);
            }
        }
    }

    /** Waits for the first list of everything that was requested here; false if the caches were closed before. */
    public boolean awaitSynced() throws InterruptedException {
        CompletableFuture<?>[] all;
        synchronized (shared) {
            all = requested.values().stream().map(ObjectCache::listed).toArray(CompletableFuture<?>[]::new);
        }
        try {
            CompletableFuture.allOf(all).get();
            return true;
        } catch (ExecutionException e) {
            log.debug("Closed before the first list was there", e);
            return false;
        }
    }

    /**
     * Makes sure that everything requested here shows what was written before a moment, by whomever: see {@link
     * Informer#current}. Completes with false if nobody wants to know any more, or if the caches are closed.
     */
    public CompletionStage<Boolean> current(Moment since, BooleanSupplier wanted) {
        List<CompletableFuture<Boolean>> all =
                entries().map(entry -> entry.getValue().current(since, wanted)).toList();
        return CompletableFuture.allOf(all.toArray(CompletableFuture<?>[]::new))
                .thenApply(_ -> all.stream().allMatch(CompletableFuture::join));
    }

    /** Kinds requested here whose first list is missing. */
    public List<String> missing() {
        return entries()
                .filter(entry -> !entry.getValue().synced())
                .map(entry -> entry.getKey().kind().plural())
                .toList();
    }

    /** Why what was requested here is missing or out of date, one sentence for each kind; empty if nothing is. */
    public List<String> problems() {
        return entries()
                .map(entry -> problem(
                        entry.getKey().kind(),
                        entry.getValue().synced(),
                        entry.getValue().watch()))
                .filter(problem -> !problem.isEmpty())
                .toList();
    }

    private static String problem(ResourceKind<?> kind, boolean synced, WatchStatus watch) {
        String name = kind.group().isEmpty() ? kind.plural() : kind.plural() + "." + kind.group();
        String state = synced ? "is not up to date" : "is not listed yet";
        if (watch.silent()) {
            return name + " " + state + ": no response from the API server for "
                    + watch.silence().toSeconds() + " s";
        }
        return switch (watch.code()) {
            case 403 -> name + " " + state + ": forbidden; allow the service account to list and watch it";
            case 404 -> name + " " + state + ": it does not exist; install its CustomResourceDefinition";
            default -> {
                if (watch.isRefused()) {
                    yield name + " " + state + ": the API server answered " + watch.code();
                }
                yield synced ? "" : name + " " + state;
            }
        };
    }

    /** Whether a watch requested here was lost without being closed, or is refused for long, so that nobody knows what has changed since. */
    public boolean isLost() {
        return entries().anyMatch(entry -> entry.getValue().watch().lost());
    }

    /**
     * Kinds whose watch is silent and was not reconnected, although the API server responds, or whose credentials it rejects
     * for long.
     */
    public List<String> stuck() {
        return kinds(cache -> cache.watch().stuck());
    }

    /** Kinds whose informer has stopped, which must not happen before {@link #close}. */
    public List<String> ended() {
        return kinds(cache -> !cache.running());
    }

    private List<String> kinds(Predicate<ObjectCache<?>> which) {
        synchronized (shared) {
            return shared.caches.entrySet().stream()
                    .filter(entry -> shared.started && which.test(entry.getValue()))
                    .map(entry -> entry.getKey().kind().plural())
                    .toList();
        }
    }

    private Stream<Map.Entry<Id, ObjectCache<?>>> entries() {
        synchronized (shared) {
            return List.copyOf(requested.entrySet()).stream();
        }
    }

    @Override
    public <T extends HasMetadata> void written(ResourceKind<T> kind, T object) {
        of(kind).forEach(cached -> cached.written(object));
    }

    @Override
    public <T extends HasMetadata> Optional<T> observed(ResourceKind<T> kind, ObjectHeader header) {
        for (ObjectCache<T> cached : of(kind)) {
            Optional<T> found = cached.observed(header);
            if (found.isPresent()) {
                return found;
            }
        }
        return Optional.empty();
    }

    @Override
    public <T extends HasMetadata> void deleted(ResourceKind<T> kind, T last) {
        of(kind).forEach(cached -> cached.deleted(last));
    }

    @Override
    public void unconfirmed(ResourceKind<?> kind) {
        Moment since = new Moment(System.nanoTime());
        long end = since.nanos() + UNCONFIRMED.toNanos();
        BooleanSupplier wanted = () -> System.nanoTime() - end < 0;
        CompletableFuture<?>[] all = shared.byKind.getOrDefault(kind, List.of()).stream()
                .map(cache -> cache.current(since, wanted))
                .toArray(CompletableFuture<?>[]::new);
        try {
            CompletableFuture.allOf(all).get(UNCONFIRMED.toNanos(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (ExecutionException | TimeoutException e) {
            log.debug("Nobody knows whether an object of kind {} was created", kind.plural(), e);
        }
    }

    @Override
    public void close() {
        synchronized (shared) {
            shared.closed = true;
            shared.caches.values().forEach(ObjectCache::close);
        }
    }

    private int stale() {
        return kinds(cache ->
                        !cache.synced() || cache.watch().lost() || cache.watch().isRefused())
                .size();
    }

    private int ahead() {
        synchronized (shared) {
            return shared.caches.values().stream().mapToInt(ObjectCache::ahead).sum();
        }
    }

    @SuppressWarnings({"unchecked", "rawtypes"}) // the key is the kind of all caches in the list
    private <T extends HasMetadata> List<ObjectCache<T>> of(ResourceKind<T> kind) {
        return (List) shared.byKind.getOrDefault(kind, List.of());
    }
}
