package io.bucketwright.runtime.cache;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.bucketwright.runtime.objects.Metadata;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * Which objects of a kind are cached.
 *
 * @param namespace empty for all namespaces and for cluster-scoped kinds
 * @param labels that the objects must have
 * @param present labels that the objects must have, with any value
 * @param name of the only object wanted, empty for all
 * @param fields that the objects must have, by path, such as {@code status.phase}; the API server allows few of them, and
 *     other ones for each kind
 */
public record Scope(
        String namespace, Map<String, String> labels, Set<String> present, String name, Map<String, String> fields) {

    private static final ObjectMapper JSON = new ObjectMapper();

    public Scope {
        labels = Map.copyOf(labels);
        present = Set.copyOf(present);
        fields = Map.copyOf(fields);
    }

    public static Scope everything() {
        return namespace("");
    }

    public static Scope namespace(String namespace) {
        return new Scope(namespace, Map.of(), Set.of(), "", Map.of());
    }

    public Scope labelled(String label, String value) {
        Map<String, String> more = new HashMap<>(labels);
        more.put(label, value);
        return new Scope(namespace, more, present, name, fields);
    }

    /** For the query of a list or a watch; empty if any labels will do. */
    String labelSelector() {
        Set<String> all = new TreeSet<>(present);
        labels.forEach((label, value) -> all.add(label + "=" + value));
        return String.join(",", all);
    }

    /** For the query of a list or a watch; empty if any fields will do. */
    String fieldSelector() {
        Set<String> all = new TreeSet<>();
        fields.forEach((field, value) -> all.add(field + "=" + value));
        if (!name.isEmpty()) {
            all.add("metadata.name=" + name);
        }
        return String.join(",", all);
    }

    /** Objects with that label, whatever its value. */
    public Scope having(String label) {
        Set<String> more = new HashSet<>(present);
        more.add(label);
        return new Scope(namespace, labels, more, name, fields);
    }

    public Scope named(String only) {
        return new Scope(namespace, labels, present, only, fields);
    }

    /** Only objects with this value in this field. One that gets another value disappears, as if it were deleted. */
    public Scope where(String field, String value) {
        Map<String, String> more = new HashMap<>(fields);
        more.put(field, value);
        return new Scope(namespace, labels, present, name, more);
    }

    /** Whether the API server would show this object to a watch of this scope. */
    public boolean contains(HasMetadata object) {
        Map<String, String> actual = Metadata.labels(object);
        return (namespace.isEmpty() || namespace.equals(object.getMetadata().getNamespace()))
                && (name.isEmpty() || name.equals(object.getMetadata().getName()))
                && actual.entrySet().containsAll(labels.entrySet())
                && actual.keySet().containsAll(present)
                && hasFields(object);
    }

    private boolean hasFields(HasMetadata object) {
        if (fields.isEmpty()) {
            return true;
        }
        // Only writes of this process get here, so reading the object as a tree costs little.
        JsonNode tree = JSON.valueToTree(object);
        return fields.entrySet().stream()
                .allMatch(wanted -> tree.at("/" + wanted.getKey().replace('.', '/'))
                        .asText("")
                        .equals(wanted.getValue()));
    }
}
