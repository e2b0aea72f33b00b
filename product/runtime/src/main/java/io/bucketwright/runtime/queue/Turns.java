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
 * begun. For the same reason a tenant with such a key goes before others that are at most {@link #MOST_OVERTAKEN} turns
 * ahead of it. Now and then one that was not begun comes first all the same, because some keys may never be finished. Not
 * safe for several threads.
 *
 * @param <K> the key
 */
public final class Turns<K> {

    /** About as many as it takes to bind a hundred claims. */
    static final long MOST_AHEAD = 400;

    /** After so many keys that were begun, it is the turn of one that was not. */
    private static final int MOST_OVERTAKEN = 16;

    /** Of so many tenants without keys at least, the turns are remembered. */
    static final int MOST_REMEMBERED = 1024;

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

        boolean finishesFirst() {
            return !begun.isEmpty() && (added.isEmpty() || overtaken < MOST_OVERTAKEN);
        }

        K removeFirst() {
            turns++;
            boolean first = finishesFirst();
            overtaken = first ? overtaken + 1 : 0;
            return (first ? begun : added).removeFirst();
        }
    }

    private final Function<? super K, String> tenantOf;
    /** The tenants of the keys that wait. An object may change meanwhile: what counts is when its key was added. */
    private final Map<K, Tenant<K>> keys = new HashMap<>();
    /** Those with keys, and others whose turns still matter: see {@link #tenant}. */
    private final Map<String, Tenant<K>> tenants = new HashMap<>();
    /** When there are so many tenants, those without keys are forgotten. */
    private int mostTenants = MOST_REMEMBERED;

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
        Tenant<K> tenant = tenant(tenantOf.apply(key));
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
        Tenant<K> tenant = next();
        waiting.remove(tenant);
        K key = tenant.removeFirst();
        keys.remove(key);
        if (!tenant.isEmpty()) {
            waiting.add(tenant);
        }
        most = Math.max(most, tenant.turns);
        return key;
    }

    private Tenant<K> next() {
        Comparator<Tenant<K>> order =
                Comparator.<Tenant<K>>comparingLong(next -> next.rank(most)).thenComparingLong(next -> next.turns);
        Tenant<K> first = waiting.stream().min(order).orElseThrow(() -> new NoSuchElementException("No key waits"));
        return waiting.stream()
                .filter(Tenant::finishesFirst)
                .min(order)
                .filter(begun -> begun.rank(most) <= first.rank(most) + MOST_OVERTAKEN)
                .orElse(first);
    }

    /** A namespace that was deleted never has a key again: what is remembered of tenants without keys has a limit. */
    private Tenant<K> tenant(String name) {
        if (tenants.size() >= mostTenants) {
            tenants.values().removeIf(Tenant::isEmpty);
            mostTenants = Math.max(MOST_REMEMBERED, 2 * tenants.size());
        }
        return tenants.computeIfAbsent(name, _ -> new Tenant<>());
    }

    /** How many tenants are in memory. */
    int tenants() {
        return tenants.size();
    }

    public boolean isEmpty() {
        return keys.isEmpty();
    }

    public int size() {
        return keys.size();
    }
}
