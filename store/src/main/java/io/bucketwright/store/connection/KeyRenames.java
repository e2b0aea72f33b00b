package io.bucketwright.store.connection;


import io.bucketwright.store.errors.InputText;

import io.bucketwright.store.errors.StoreException.Invalid;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * Other names for the keys that an application reads. An empty new name leaves the key out.
 *
 * @param names new names by old ones
 */
public record KeyRenames(Map<String, String> names) {

    /**
     * Checks the value.
     *
     * @throws Invalid if a new name is no key, or two keys get the same one
     */
    public KeyRenames {
        names = Map.copyOf(new TreeMap<>(names));
        Set<String> taken = new HashSet<>();
        names.forEach((old, renamed) -> {
            if (!ConnectionDataKey.isKnown(old)) {
                throw new Invalid("key " + InputText.quote(old) + " is unknown and cannot be renamed; there are "
                        + ConnectionDataKey.names());
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
     * Reads {@code OLD=NEW,OLD=NEW}.
     *
     * @throws Invalid if it is not of that form
     */
    public static KeyRenames parse(String text) {
        Map<String, String> names = new HashMap<>();
        for (String pair : text.split(",", -1)) {
            int equals = pair.indexOf('=');
            if (pair.isBlank()) {
                continue;
            }
            if (equals < 1
                    || names.put(
                                    pair.substring(0, equals).strip(),
                                    pair.substring(equals + 1).strip())
                            != null) {
                throw new Invalid(
                        "renames " + InputText.quote(text) + " must be OLD=NEW pairs, separated by commas, each key once");
            }
        }
        return new KeyRenames(names);
    }

    /** These, and where the other says something else, the other's. */
    public KeyRenames overriddenBy(KeyRenames other) {
        Map<String, String> both = new HashMap<>(names);
        both.putAll(other.names);
        return new KeyRenames(both);
    }

    String apply(String key) {
        return names.getOrDefault(key, key);
    }
}
