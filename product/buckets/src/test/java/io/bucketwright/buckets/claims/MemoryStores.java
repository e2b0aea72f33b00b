package io.bucketwright.buckets.claims;

import io.bucketwright.buckets.MemoryStore;
import io.bucketwright.buckets.classes.BucketClass;
import io.bucketwright.buckets.stores.ClassStore;
import io.bucketwright.buckets.stores.StoreSource;
import io.bucketwright.runtime.cache.CacheListener;
import io.bucketwright.runtime.cache.Source;
import io.bucketwright.store.access.BucketName;
import io.bucketwright.store.connection.Connection;
import io.bucketwright.store.errors.StoreException.Invalid;
import io.bucketwright.store.observation.MeasuredStore;
import io.bucketwright.store.observation.StoreObserver;
import io.fabric8.kubernetes.api.model.Secret;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiFunction;

/** One store in memory for each value of the class parameter {@code endpoint}. */
final class MemoryStores implements StoreSource {

    private final Map<String, MemoryStore> stores = new ConcurrentHashMap<>();
    private final AtomicInteger opened = new AtomicInteger();
    private final List<CacheListener<? super Secret>> listeners = new CopyOnWriteArrayList<>();
    private volatile String issuer = "";
    private volatile boolean connectionKnown = true;
    private volatile Map<String, String> implied = Map.of();
    private final Set<String> removed = ConcurrentHashMap.newKeySet();
    private final Set<String> incompatible = ConcurrentHashMap.newKeySet();
    private volatile String address = "";

    /** How often a store was found by the parameters of a class. */
    int opened() {
        return opened.get();
    }

    /** The store of classes without an endpoint. */
    MemoryStore first() {
        return at("");
    }

    MemoryStore at(String endpoint) {
        return stores.computeIfAbsent(endpoint, _ -> new MemoryStore());
    }

    /** The same store has one more endpoint. */
    void moveTo(String endpoint, MemoryStore store) {
        stores.put(endpoint, store);
    }

    /** From now on, credentials are made of this key of the administrator. */
    void issuer(String value) {
        issuer = value;
    }

    /** Whether it is known without a call to a store how applications connect to it. */
    void connectionKnown(boolean known) {
        connectionKnown = known;
    }

    /** From now on, classes have these parameters although they do not set them. */
    void implied(Map<String, String> parameters) {
        implied = parameters;
    }

    /** As if a newer release no longer had this parameter of classes. */
    void remove(String parameter) {
        removed.add(parameter);
    }

    /** These parameters of classes do not fit together. */
    void incompatible(String one, String other) {
        incompatible.addAll(Set.of(one, other));
    }

    /** From now on, the administrator Secret of classes without an endpoint has this one. */
    void address(String endpoint) {
        address = endpoint;
    }

    /** An administrator Secret that is in use has changed. */
    void changed(Secret administrator) {
        listeners.forEach(listener -> listener.changed(administrator, administrator));
    }

    @Override
    public Source<Secret> administrators() {
        return new Changes(listeners::add);
    }

    @Override
    public ClassStore of(BucketClass bucketClass) {
        opened.incrementAndGet();
        Set<String> unknown = new HashSet<>(removed);
        unknown.retainAll(bucketClass.reference().parameters().keySet());
        if (!unknown.isEmpty()) {
            throw new Invalid("unknown parameters: " + unknown);
        }
        if (!incompatible.isEmpty()
                && bucketClass.reference().parameters().keySet().containsAll(incompatible)) {
            throw new Invalid("parameters do not fit together: " + new TreeSet<>(incompatible));
        }
        String endpoint = bucketClass.reference().parameters().getOrDefault("endpoint", "");
        return new Issuing(at(endpoint), endpoint, this);
    }

    @Override
    public Map<String, String> known(Map<String, String> recorded) {
        Map<String, String> known = new HashMap<>(recorded);
        known.keySet().removeAll(removed);
        return known;
    }

    @Override
    public Set<String> connectionNames() {
        return Set.of("endpoint", "caBundle", "secretName", "secretNamespace");
    }

    @Override
    public void close() {
        // The stores are in memory.
    }

    /** The store of a class. Only the address tells where it is, as of a real store. */
    private record Issuing(MemoryStore store, String endpoint, MemoryStores source) implements ClassStore {

        @Override
        public Object location() {
            return endpoint;
        }

        @Override
        public Optional<Connection> connection(BucketName bucket) {
            return Optional.of(MemoryStore.connection(bucket, address())).filter(_ -> source.connectionKnown);
        }

        @Override
        public Map<String, String> implied() {
            return source.implied;
        }

        @Override
        public Optional<String> issuer() {
            return Optional.of(source.issuer).filter(key -> !key.isEmpty());
        }

        private String address() {
            return endpoint.isEmpty() ? source.address : endpoint;
        }

        @Override
        public <R> R use(BiFunction<MeasuredStore, String, R> call) {
            store.address(address());
            return call.apply(new MeasuredStore("memory", store, StoreObserver.none()), source.issuer);
        }
    }
}
