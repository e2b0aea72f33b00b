package io.bucketwright.store.options;

import io.bucketwright.store.errors.InputText;
import io.bucketwright.store.errors.StoreException.Invalid;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The kinds of options that a class lets its claims set. Quotas are always allowed, because they only restrict.
 *
 * @param kinds the allowed kinds in addition to quotas
 * @param ofStore names of allowed options that the store declares itself
 */
public record AllowedOptions(Set<Capability> kinds, Set<String> ofStore) {

    private static final String STORE = "store:";
    private static final Pattern NAME = Pattern.compile("[A-Za-z][A-Za-z0-9._-]{0,62}");

    /**
     * Checks the value.
     *
     * @throws Invalid if a capability is not a kind of option
     */
    public AllowedOptions {
        kinds = Set.copyOf(kinds);
        ofStore = Set.copyOf(ofStore);
        for (String name : ofStore) {
            if (!NAME.matcher(name).matches() || BucketOption.OptionKey.isKnown(name)) {
                throw new Invalid("allowedOptions " + InputText.quote(STORE + name)
                        + " must name an option of the store: letters, digits, dots, hyphens and underscores, and no"
                        + " option of Bucketwright");
            }
        }
        for (Capability kind : kinds) {
            if (!kind.isOption()) {
                throw new Invalid("allowedOptions " + kind + " is not a kind of option");
            }
        }
    }

    /** Without options of the store. */
    public AllowedOptions(Set<Capability> kinds) {
        this(kinds, Set.of());
    }

    /**
     * Reads the class parameter {@code allowedOptions}: names of options, separated by commas. {@code store:NAME} is an
     * option that the store declares itself.
     *
     * @throws Invalid if a name is unknown
     */
    public static AllowedOptions parse(String text) {
        Set<Capability> kinds = EnumSet.noneOf(Capability.class);
        Set<String> ofStore = new TreeSet<>();
        for (String part : text.split(",", -1)) {
            String name = part.strip();
            if (name.startsWith(STORE)) {
                ofStore.add(name.substring(STORE.length()));
            } else if (!name.isEmpty()) {
                kinds.add(options()
                        .filter(kind -> kind.text().equals(name))
                        .findFirst()
                        .orElseThrow(() -> new Invalid("allowedOptions " + InputText.quote(name) + " must be one of "
                                + options().map(Capability::text).sorted().collect(Collectors.joining(", ")))));
            }
        }
        return new AllowedOptions(kinds, ofStore);
    }

    /** These kinds and one more. */
    public AllowedOptions and(Capability kind) {
        Set<Capability> more = EnumSet.of(kind);
        more.addAll(kinds);
        return new AllowedOptions(more, ofStore);
    }

    public boolean allows(Capability kind) {
        return kind == Capability.QUOTA || kinds.contains(kind);
    }

    /**
     * Checks that the class allows a kind of option.
     *
     * @throws Invalid if the class does not allow it
     */
    public void require(Capability kind) {
        if (!allows(kind)) {
            throw new Invalid("option " + kind.text() + " is not allowed by the class: its allowedOptions "
                    + (kinds.isEmpty() ? "is not set" : "does not name it"));
        }
    }

    private static Stream<Capability> options() {
        return Arrays.stream(Capability.values()).filter(Capability::isOption);
    }
}
