package io.bucketwright.store.access;

import io.bucketwright.store.errors.StoreException.Invalid;
import io.bucketwright.store.errors.StoreException.Unsupported;
import java.util.Arrays;
import java.util.Collection;
import java.util.EnumSet;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** The actions on objects that every store has. A policy action with such a name means the same on each of them. */
public enum ObjectAction {
    /** Get objects. */
    READ,
    /** List objects. */
    LIST,
    /** Put objects. */
    WRITE,
    /** Delete objects. */
    DELETE;

    /** The name in policy actions: {@code read}, {@code list}, {@code write} or {@code delete}. */
    public String text() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** The action with this name; empty if it is none of them, such as a name of one store. */
    public static Optional<ObjectAction> find(String name) {
        return Arrays.stream(values())
                .filter(action -> action.text().equalsIgnoreCase(name))
                .findFirst();
    }

    /**
     * What an access allows, for a store that grants no single actions of its own.
     *
     * @param store names the store in the error
     * @throws Unsupported if the access names an action that is none of these
     * @throws Invalid if it allows nothing
     */
    public static Set<ObjectAction> of(Access access, String store) {
        Set<ObjectAction> allowed = EnumSet.noneOf(ObjectAction.class);
        allowed.addAll(of(access.mode()));
        if (!access.allow().isEmpty()) {
            allowed.retainAll(parse(access.allow(), store));
        }
        allowed.removeAll(parse(access.deny(), store));
        if (allowed.isEmpty()) {
            throw new Invalid("the policy actions allow nothing");
        }
        return allowed;
    }

    private static Set<ObjectAction> of(AccessMode mode) {
        return switch (mode) {
            case READ_WRITE -> EnumSet.allOf(ObjectAction.class);
            case READ_ONLY -> EnumSet.of(READ, LIST);
            case WRITE_ONLY -> EnumSet.of(WRITE);
            case NONE -> throw new IllegalArgumentException("without access there is no principal");
        };
    }

    private static Set<ObjectAction> parse(Collection<String> names, String store) {
        Set<ObjectAction> actions = EnumSet.noneOf(ObjectAction.class);
        for (String name : names) {
            if (name.equals(Access.EVERYTHING)) {
                return EnumSet.allOf(ObjectAction.class);
            }
            actions.add(find(name)
                    .orElseThrow(() -> new Unsupported(store + " cannot allow or deny the policy action " + name
                            + ": it has "
                            + Arrays.stream(values()).map(ObjectAction::text).collect(Collectors.joining(", "))
                            + " and *.")));
        }
        return actions;
    }
}
