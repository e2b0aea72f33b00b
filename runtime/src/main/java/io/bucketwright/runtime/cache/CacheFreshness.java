package io.bucketwright.runtime.cache;

import io.bucketwright.runtime.Leadership;
import io.bucketwright.runtime.client.ObjectReader;
import io.bucketwright.runtime.client.ObjectReader.VersionList;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Whether a cache shows what former leaders wrote. A watch can be silent for minutes, and a leader that takes over must not
 * undo what its predecessor did. The objects are listed once in each term; after that only this process writes them, and
 * its own writes are in the cache. Use it for objects in one namespace that only the leader writes.
 */
public final class CacheFreshness<T extends HasMetadata> {

    /** What is known about an object. */
    public enum State {
        /** The objects were not listed in this term. */
        UNKNOWN,
        /** The cache shows an older version than the list, or does not show the object. */
        OUTDATED,
        /** The cache shows the object as it is; if it shows none, there is none. */
        CURRENT
    }

    private record TermList(long term, VersionList list) {}

    private final Class<T> type;
    private final Scope scope;
    private final ObjectCache<T> cache;
    private final ObjectReader reader;
    private final Leadership leadership;
    private volatile @Nullable TermList last;

    /**
     * Requests nothing.
     *
     * @param scope of the cache: a namespace and labels
     */
    public CacheFreshness(
            Class<T> type, Scope scope, ObjectCache<T> cache, ObjectReader reader, Leadership leadership) {
        this.type = type;
        this.scope = scope;
        this.cache = cache;
        this.reader = reader;
        this.leadership = leadership;
    }

    /** The object in the cache, unless the list shows that it no longer existed when this term began. */
    public Optional<T> get(String name) {
        Optional<T> cached = cache.get(scope.namespace(), name);
        @Nullable VersionList list = list();
        if (list == null || list.versions().containsKey(name)) {
            return cached;
        }
        ResourceVersion begin = ResourceVersion.of(list.version());
        return cached.filter(object -> ResourceVersion.of(object).atLeast(begin));
    }

    public State state(String name) {
        @Nullable VersionList list = list();
        if (list == null) {
            return State.UNKNOWN;
        }
        if (!list.versions().containsKey(name)) {
            return State.CURRENT;
        }
        ResourceVersion listed = ResourceVersion.of(list.versions().get(name));
        return cache.get(scope.namespace(), name)
                        .filter(object -> ResourceVersion.of(object).atLeast(listed))
                        .isPresent()
                ? State.CURRENT
                : State.OUTDATED;
    }

    /** Lists the objects, unless another worker did in this term. */
    public synchronized void refresh() {
        if (list() == null) {
            // Before the list: what another leader writes after it belongs to another term.
            long term = leadership.term();
            String labels = scope.labels().entrySet().stream()
                    .map(label -> label.getKey() + "=" + label.getValue())
                    .collect(Collectors.joining(","));
            last = new TermList(term, reader.versions(type, scope.namespace(), labels));
        }
    }

    private @Nullable VersionList list() {
        @Nullable TermList known = last;
        return known != null && known.term() == leadership.term() ? known.list() : null;
    }
}
