package io.bucketwright.runtime.cache;

import io.fabric8.kubernetes.api.model.HasMetadata;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Which objects of a kind are cached.
 *
 * @param namespace empty for all namespaces and for cluster-scoped kinds
 * @param labels that the objects must carry
 * @param name of the only object wanted, empty for all
 */
public record Scope(String namespace, Map<String, String> labels, String name) {

    public Scope {
        labels = Map.copyOf(labels);
    }

    public static Scope everything() {
        return new Scope("", Map.of(), "");
    }

    public static Scope namespace(String namespace) {
        return new Scope(namespace, Map.of(), "");
    }

    public Scope labelled(String label, String value) {
        Map<String, String> more = new HashMap<>(labels);
        more.put(label, value);
        return new Scope(namespace, more, name);
    }

    public Scope named(String only) {
        return new Scope(namespace, labels, only);
    }

    /** Whether the API server would show this object to a watch of this scope. */
    boolean contains(HasMetadata object) {
        Map<String, String> present = object.getMetadata().getLabels();
        return covers(object.getMetadata().getNamespace(), object.getMetadata().getName())
                && labels.entrySet().stream()
                        .allMatch(wanted -> present != null && wanted.getValue().equals(present.get(wanted.getKey())));
    }

    private boolean covers(@Nullable String itsNamespace, String itsName) {
        return (namespace.isEmpty() || namespace.equals(itsNamespace)) && (name.isEmpty() || name.equals(itsName));
    }
}
