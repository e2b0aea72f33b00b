package io.bucketwright.runtime.queue;

import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.SequencedSet;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Keys that wait. Tenants take turns, so that one with many keys does not delay the others: next is the tenant that had
 * fewest turns. One that had none for a while goes first, for at most {@link #MOST_AHEAD} turns; of several, the one that
 * will have had fewest when it has no more keys. Of one tenant, keys come in the order in which they were added, and those
 * that were begun before the others: what was begun is finished first, otherwise no key would be finished before each was
 * begun. Now and then one that was not begun comes first all the same, because some keys may never be finished. Not safe
 * for several threads.
 *
 * @param <K> the key
 */
public final class Turns<K> {

    /** About as many as it takes to bind a hundred claims. */
    static final long MOST_AHEAD = 400;

    /** After so many keys that were begun, it is the turn of one that was not. */
    private static final int MOST_OVERTAKEN = 16;

    private static final class Tenant<K> {
        /** How many turns it had, with those that it missed while it had no keys. */
        private long turns;
        /** How many keys of {@link #begun} had their turn since one of {@link #added} had. */
        private int overtaken;

        private final SequencedSet<K> added = new LinkedHashSet<>();
        private final SequencedSet<K> begun = new LinkedHashSet<>();

        boolean isEmpty() {
            return added.isEmpty() && begun.isEmpty();
        }

        /** The turns that it will have had when it has no more keys, unless it is ahead no longer by then. */
        long rank(long most) {
            return Math.max(turns, Math.min(turns + added.size() + begun.size(), most));
        }

        K removeFirst() {
            turns++;
            boolean first = !begun.isEmpty() && (added.isEmpty() || overtaken < MOST_OVERTAKEN);
            overtaken = first ? overtaken + 1 : 0;
            return (first ? begun : added).removeFirst();
        }
    }

    private final Function<? super K, String> tenantOf;
    /** The tenants of the keys that wait. An object may change meanwhile: what counts is when its key was added. */
    private final Map<K, Tenant<K>> keys = new HashMap<>();
    /** Those with keys, and those that had so many turns that they would not be first with the next key. */
    private final Map<String, Tenant<K>> tenants = new HashMap<>();

    /** The tenants with keys. Of several with the same rank, the one that has waited longest is first. */
    private final Set<Tenant<K>> waiting = new LinkedHashSet<>();
    /** The most turns that a tenant had. At first nobody had any, and all are ahead. */
    private long most = MOST_AHEAD;

    public Turns(Function<? super K, String> tenantOf) {
        this.tenantOf = tenantOf;
    }

    /** Adds the key, unless it waits already. */
    public void add(K key) {
        add(key, false);
    }

    /** Adds a key that had a turn and needs another one, unless it waits already. */
    public void addBegun(K key) {
        add(key, true);
    }

    private void add(K key, boolean begun) {
        if (keys.containsKey(key)) {
            return;
        }
        Tenant<K> tenant = tenants.computeIfAbsent(tenantOf.apply(key), _ -> new Tenant<>());
        if (tenant.isEmpty()) {
            tenant.turns = Math.max(tenant.turns, most - MOST_AHEAD);
            waiting.add(tenant);
        }
        (begun ? tenant.begun : tenant.added).add(key);
        keys.put(key, tenant);
    }

    public void remove(K key) {
        @Nullable Tenant<K> tenant = keys.remove(key);
        if (tenant != null) {
            tenant.added.remove(key);
            tenant.begun.remove(key);
            if (tenant.isEmpty()) {
                waiting.remove(tenant);
            }
        }
    }

    /**
     * Removes and returns the next key of the tenant whose turn it is.
     *
     * @throws NoSuchElementException if no key waits
     */
    public K removeFirst() {
        Tenant<K> tenant = waiting.stream()
                .min(Comparator.<Tenant<K>>comparingLong(next -> next.rank(most))
                        .thenComparingLong(next -> next.turns))
                .orElseThrow(() -> new NoSuchElementException("No key waits"));
        waiting.remove(tenant);
        K key = tenant.removeFirst();
        keys.remove(key);
        if (!tenant.isEmpty()) {
            waiting.add(tenant);
        }
        if (tenant.turns > most) {
            most = tenant.turns;
            forget();
        }
        return key;
    }

    /** Tenants without keys whose turns no longer matter. */
    private void forget() {
        if (most % MOST_AHEAD == 0) {
            tenants.values().removeIf(tenant -> tenant.isEmpty() && tenant.turns <= most - MOST_AHEAD);
        }
    }

    public boolean isEmpty() {
        return keys.isEmpty();
    }

    public int size() {
        return keys.size();
    }
}
