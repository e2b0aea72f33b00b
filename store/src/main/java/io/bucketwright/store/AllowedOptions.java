package io.bucketwright.store;

import io.bucketwright.store.StoreException.Invalid;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * Which kinds of options a class lets its claims set. Quotas always, since they only take; the rest by the class's word.
 *
 * @param kinds beside quotas
 */
public record AllowedOptions(Set<Capability> kinds) {

    private static final Map<Capability, String> WORDS = words();

    /**
     * Checks the value.
     *
     * @throws Invalid if one of them is no kind of option
     */
    public AllowedOptions {
        kinds = Set.copyOf(kinds);
        for (Capability kind : kinds) {
            if (!WORDS.containsKey(kind)) {
                throw new Invalid("allowedOptions " + kind + " is not a kind of option");
            }
        }
    }

    public static AllowedOptions quotaOnly() {
        return new AllowedOptions(Set.of());
    }

    /**
     * Reads the class parameter {@code allowedOptions}: words, separated by commas.
     *
     * @throws Invalid if a word is unknown
     */
    public static AllowedOptions parse(String text) {
        Set<Capability> kinds = EnumSet.noneOf(Capability.class);
        for (String part : text.split(",", -1)) {
            String word = part.strip();
            if (!word.isEmpty()) {
                kinds.add(WORDS.entrySet().stream()
                        .filter(entry -> entry.getValue().equals(word))
                        .map(Map.Entry::getKey)
                        .findFirst()
                        .orElseThrow(() -> new Invalid("allowedOptions " + Quoted.text(word) + " must be one of "
                                + String.join(", ", new TreeSet<>(WORDS.values())))));
            }
        }
        return new AllowedOptions(kinds);
    }

    public boolean allows(Capability kind) {
        return kind == Capability.QUOTA || kinds.contains(kind);
    }

    /**
     * Refuses a kind of option.
     *
     * @throws Invalid if the class does not allow it
     */
    public void require(Capability kind) {
        if (!allows(kind)) {
            throw new Invalid("option " + word(kind) + " is not allowed by the class: its allowedOptions "
                    + (kinds.isEmpty() ? "is not set" : "does not name it"));
        }
    }

    /** What a kind of option is called in classes, claims and messages. */
    public static String word(Capability kind) {
        return WORDS.getOrDefault(kind, kind.name());
    }

    private static Map<Capability, String> words() {
        Map<Capability, String> words = new EnumMap<>(Capability.class);
        words.put(Capability.QUOTA, "quota");
        words.put(Capability.VERSIONING, "versioning");
        words.put(Capability.OBJECT_LOCK, "objectLock");
        words.put(Capability.LIFECYCLE, "lifecycle");
        words.put(Capability.POLICY, "policy");
        words.put(Capability.CORS, "cors");
        words.put(Capability.TAGS, "tags");
        words.put(Capability.CANNED_ACL, "cannedAcl");
        words.put(Capability.ANONYMOUS_ACCESS, "anonymousAccess");
        words.put(Capability.PREFIX, "prefix");
        return words;
    }
}
