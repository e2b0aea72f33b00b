package io.bucketwright.store.connection;

import io.bucketwright.store.errors.InputText;
import io.bucketwright.store.errors.StoreException.Invalid;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * Replaces the names of keys that an application reads. An empty new name omits the key.
 *
 * @param names the new names by the old names
 */
public record KeyRenames(Map<String, String> names) {

    /**
     * Checks the value.
     *
     * @throws Invalid if a new name is malformed, or two keys get the same name
     */
    public KeyRenames {
        names = Map.copyOf(new TreeMap<>(names));
        Set<String> taken = new HashSet<>();
        names.forEach((old, renamed) -> {
            if (!ConnectionDataKey.isKnown(old)) {
                throw new Invalid("key " + InputText.quote(old) + " is unknown and cannot be renamed; known keys: "
                        + String.join(", ", ConnectionDataKey.names()));
            }
            if (!renamed.isEmpty()) {
                ConnectionDataKey.checkSyntax(renamed);
                if (!taken.add(renamed)) {
                    throw new Invalid("two keys are renamed to " + InputText.quote(renamed));
                }
            }
        });
    }

    public static KeyRenames none() {
        return new KeyRenames(Map.of());
    }

    /**
     * Parses {@code OLD=NEW,OLD=NEW}.
     *
     * @throws Invalid if the text is malformed
     */
    public static KeyRenames parse(String text) {
        Stream<String> pairs = Stream.of(text.split(",", -1)).filter(pair -> !pair.isBlank());
        return new KeyRenames(InputText.pairs(
                pairs,
                () -> new Invalid("renames " + InputText.quote(text)
                        + " must be OLD=NEW pairs, separated by commas, each key once")));
    }

    /** Merges both. The other wins for keys that both rename. */
    public KeyRenames overriddenBy(KeyRenames other) {
        Map<String, String> both = new HashMap<>(names);
        both.putAll(other.names);
        return new KeyRenames(both);
    }

    public String apply(String key) {
        return names.getOrDefault(key, key);
    }
}
