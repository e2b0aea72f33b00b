package io.bucketwright.store;

import io.bucketwright.store.errors.InputText;
import io.bucketwright.store.errors.StoreException;
import io.bucketwright.store.errors.StoreException.Invalid;
import io.bucketwright.store.parameters.Parameters;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.ServiceLoader;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * The cache of open stores. Two classes with the same parameters and the same administrator's Secret share one store. A new
 * version of the Secret opens a new store, and the old one is closed after its last use. A store that is not used for ten
 * minutes is closed too.
 */
public final class Stores implements AutoCloseable {

    private static final Duration IDLE = Duration.ofMinutes(10);

    private final Map<String, StoreFactory> factories = new TreeMap<>();
    private final Map<Key, Entry> open = new HashMap<>();
    private final LongSupplier nanoTime;

    public Stores(Collection<StoreFactory> factories) {
        this(factories, System::nanoTime);
    }

    Stores(Collection<StoreFactory> factories, LongSupplier nanoTime) {
        for (StoreFactory factory : factories) {
            if (this.factories.put(factory.name(), factory) != null) {
                throw new IllegalArgumentException("two store factories have the name " + factory.name());
            }
        }
        this.nanoTime = nanoTime;
    }

    /** All kinds of stores on the class path. */
    public static Stores installed() {
        return new Stores(ServiceLoader.load(StoreFactory.class).stream()
                .map(ServiceLoader.Provider::get)
                .toList());
    }

    public Set<String> names() {
        return new TreeSet<>(factories.keySet());
    }

    /**
     * The factory of that name.
     *
     * @throws Invalid if there is no such factory
     */
    public StoreFactory factory(String name) {
        StoreFactory factory = factories.get(name);
        if (factory == null) {
            throw new Invalid(
                    "store " + InputText.quote(name) + " is unknown; installed stores: " + String.join(", ", names()));
        }
        return factory;
    }

    /**
     * The store for these parameters, opened if necessary. Close the lease after the call.
     *
     * @param secret identifies the administrator's Secret, for example by its name
     * @param secretVersion changes with that Secret, for example its uid and resourceVersion
     * @param administrator called only if the store must be opened
     * @throws Invalid if there is no such kind of store, or its parameters contradict each other
     * @throws StoreException.Denied if a credential is missing
     */
    public Lease lease(
            String name,
            Parameters parameters,
            String secret,
            String secretVersion,
            Supplier<AdministratorSecret> administrator) {
        StoreFactory factory = factory(name);
        Key key = new Key(name, parameters, secret, secretVersion);
        List<BucketStore> unused;
        Entry entry;
        synchronized (open) {
            Entry known = open.get(key);
            entry = known != null ? known : new Entry(factory.open(parameters, administrator.get()));
            open.put(key, entry);
            entry.users++;
            entry.lastUsed = nanoTime.getAsLong();
            unused = removeUnused(key);
        }
        unused.forEach(BucketStore::close);
        return new Lease(entry);
    }

    /** The number of open stores. */
    public int size() {
        synchronized (open) {
            return open.size();
        }
    }

    @Override
    public void close() {
        List<BucketStore> all;
        synchronized (open) {
            all = open.values().stream().map(entry -> entry.store).toList();
            open.clear();
        }
        all.forEach(BucketStore::close);
    }

    private List<BucketStore> removeUnused(Key wanted) {
        List<BucketStore> unused = new ArrayList<>();
        long now = nanoTime.getAsLong();
        open.entrySet().removeIf(candidate -> {
            Entry entry = candidate.getValue();
            entry.superseded |= candidate.getKey().supersededBy(wanted);
            boolean idle = now - entry.lastUsed > IDLE.toNanos();
            boolean unneeded = entry.users == 0 && (idle || entry.superseded);
            if (unneeded) {
                unused.add(entry.store);
            }
            return unneeded;
        });
        return unused;
    }

    private void release(Entry entry) {
        boolean last;
        synchronized (open) {
            entry.users--;
            entry.lastUsed = nanoTime.getAsLong();
            last = entry.users == 0 && entry.superseded && open.values().remove(entry);
        }
        if (last) {
            entry.store.close();
        }
    }

    private record Key(String name, Parameters parameters, String secret, String secretVersion) {
        boolean supersededBy(Key newer) {
            return name.equals(newer.name)
                    && parameters.equals(newer.parameters)
                    && secret.equals(newer.secret)
                    && !secretVersion.equals(newer.secretVersion);
        }
    }

    private static final class Entry {
        private final BucketStore store;
        private int users;
        private long lastUsed;
        private boolean superseded;

        Entry(BucketStore store) {
            this.store = store;
        }
    }

    /** Keeps a store open for one or a few calls. */
    public final class Lease implements AutoCloseable {
        private final Entry entry;
        private boolean closed;

        private Lease(Entry entry) {
            this.entry = entry;
        }

        public BucketStore store() {
            return entry.store;
        }

        @Override
        public void close() {
            if (!closed) {
                closed = true;
                release(entry);
            }
        }
    }
}
