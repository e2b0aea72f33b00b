package io.bucketwright.store;

import io.bucketwright.store.parameters.Parameters;

import io.bucketwright.store.errors.InputText;

import io.bucketwright.store.errors.StoreException;

import io.bucketwright.store.errors.StoreException.Invalid;
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
 * The open stores. Two classes with the same parameters and the same administrator's Secret share one; a new version of
 * the Secret opens a new one, and the old one is closed when its last user has let go. So is one that nobody has asked
 * for in a while.
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
                throw new IllegalArgumentException("two kinds of store are called " + factory.name());
            }
        }
        this.nanoTime = nanoTime;
    }

    /** All kinds on the class path. */
    public static Stores installed() {
        return new Stores(ServiceLoader.load(StoreFactory.class).stream()
                .map(ServiceLoader.Provider::get)
                .toList());
    }

    public Set<String> names() {
        return new TreeSet<>(factories.keySet());
    }

    /**
     * The kind of store of that name.
     *
     * @throws Invalid if there is no such kind of store
     */
    public StoreFactory factory(String name) {
        StoreFactory factory = factories.get(name);
        if (factory == null) {
            throw new Invalid("store " + InputText.quote(name) + " is unknown; there are " + names());
        }
        return factory;
    }

    /**
     * The store for these parameters, opened if need be. Close what you get when the call is over.
     *
     * @param secretVersion changes whenever the administrator's Secret does, as its uid and resourceVersion
     * @param administrator asked only if the store must be opened
     * @throws Invalid if there is no such kind of store, or its parameters do not go together
     * @throws StoreException.Denied if a credential is missing
     */
    public Lease lease(
            String name, Parameters parameters, String secretVersion, Supplier<AdministratorSecret> administrator) {
        StoreFactory factory = factory(name);
        Key key = new Key(name, parameters, secretVersion);
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
        return new Lease(this, entry);
    }

    /** How many are open. */
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

    private record Key(String name, Parameters parameters, String secretVersion) {
        boolean supersededBy(Key newer) {
            return name.equals(newer.name)
                    && parameters.equals(newer.parameters)
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

    /** The use of an open store, for one call or a few. */
    public static final class Lease implements AutoCloseable {
        private final Stores stores;
        private final Entry entry;
        private boolean closed;

        private Lease(Stores stores, Entry entry) {
            this.stores = stores;
            this.entry = entry;
        }

        public BucketStore store() {
            return entry.store;
        }

        @Override
        public void close() {
            if (!closed) {
                closed = true;
                stores.release(entry);
            }
        }
    }
}
