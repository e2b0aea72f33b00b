package io.bucketwright.runtime.cache;

import io.fabric8.kubernetes.api.model.HasMetadata;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Which objects of a kind are cached.
 *
 * @param namespace empty for all namespaces and for cluster-scoped kinds
 * @param labels that the objects must carry
 * @param present labels that the objects must carry, with whatever value
 * @param name of the only object wanted, empty for all
 */
public record Scope(String namespace, Map<String, String> labels, Set<String> present, String name) {

    public Scope {
        labels = Map.copyOf(labels);
        present = Set.copyOf(present);
    }

    public static Scope everything() {
        return new Scope("", Map.of(), Set.of(), "");
    }

    public static Scope namespace(String namespace) {
        return new Scope(namespace, Map.of(), Set.of(), "");
    }

    public Scope labelled(String label, String value) {
        Map<String, String> more = new HashMap<>(labels);
        more.put(label, value);
        return new Scope(namespace, more, present, name);
    }

    /** Objects with that label, whatever it says. */
    public Scope having(String label) {
        Set<String> more = new HashSet<>(present);
        more.add(label);
        return new Scope(namespace, labels, more, name);
    }

    public Scope named(String only) {
        return new Scope(namespace, labels, present, only);
    }

    /** Whether the API server would show this object to a watch of this scope. */
    boolean contains(HasMetadata object) {
        @Nullable Map<String, String> its = object.getMetadata().getLabels();
        Map<String, String> carried = its == null ? Map.of() : its;
        return covers(object.getMetadata().getNamespace(), object.getMetadata().getName())
                && carried.entrySet().containsAll(labels.entrySet())
                && carried.keySet().containsAll(present);
    }

    private boolean covers(@Nullable String itsNamespace, String itsName) {
        return (namespace.isEmpty() || namespace.equals(itsNamespace)) && (name.isEmpty() || name.equals(itsName));
    }
}
