package io.bucketwright.store.grants;

import io.bucketwright.store.grants.Grant.State;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * All grants of one bucket, in the order in which they were issued.
 *
 * @param issued how many ids were given out: the next one is higher
 */
public record GrantLedger(long issued, List<Grant> grants) {

    public static final GrantLedger EMPTY = new GrantLedger(0, List.of());

    public GrantLedger {
        grants = List.copyOf(grants);
        long ids = grants.stream().map(Grant::id).distinct().count();
        if (ids != grants.size()) {
            throw new IllegalArgumentException("two grants have one id");
        }
    }

    public boolean isEmpty() {
        return grants.isEmpty();
    }

    /** The id of the next grant. */
    public String nextId() {
        return Long.toString(issued + 1);
    }

    /** With this grant in the place of the one that has its id, or behind all others. */
    public GrantLedger with(Grant grant) {
        List<Grant> all = new ArrayList<>(grants);
        all.replaceAll(known -> known.id().equals(grant.id()) ? grant : known);
        if (find(grant.id()).isPresent()) {
            return new GrantLedger(issued, all);
        }
        all.add(grant);
        return new GrantLedger(issued + 1, all);
    }

    public GrantLedger without(String id) {
        return filtered(grant -> !grant.id().equals(id));
    }

    private GrantLedger filtered(Predicate<Grant> kept) {
        return new GrantLedger(issued, grants.stream().filter(kept).toList());
    }

    public Optional<Grant> find(String id) {
        return grants.stream().filter(grant -> grant.id().equals(id)).findFirst();
    }

    /** Those of one claim or access, oldest first. */
    public Stream<Grant> of(String uid) {
        return grants.stream().filter(grant -> grant.grantee().uid().equals(uid));
    }

    public Stream<Grant> in(State state) {
        return grants.stream().filter(grant -> grant.state() == state);
    }
}
