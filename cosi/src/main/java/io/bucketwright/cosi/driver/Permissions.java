package io.bucketwright.cosi.driver;

import io.bucketwright.cosi.wire.Keys;
import io.bucketwright.store.Access;
import io.bucketwright.store.AccessMode;
import io.bucketwright.store.Quoted;
import io.bucketwright.store.StoreException.Invalid;
import java.time.OffsetDateTime;
import java.time.format.DateTimeParseException;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** What the map {@code permissions} of a request says. Each question is answered, or refused, on its own. */
record Permissions(Map<String, String> given) {

    private static final Set<String> OF_THE_CLASS = Set.of(Keys.ACCESS_MODE, Keys.PREFIX);

    Permissions {
        given = Map.copyOf(given);
    }

    Optional<String> account() {
        return text(Keys.ACCOUNT);
    }

    Optional<String> serviceAccount() {
        return text(Keys.SERVICE_ACCOUNT);
    }

    /** Ids of keys that stay valid beside the new one. */
    Set<String> publishedKeys() {
        return words(Keys.PUBLISHED_KEYS);
    }

    /**
     * What is granted.
     *
     * @throws Invalid if a value is not of its form, or a parameter of the access class is unknown
     */
    Access access() {
        for (String key : new TreeSet<>(given.keySet())) {
            if (!key.startsWith(Keys.RESERVED) && !OF_THE_CLASS.contains(key)) {
                throw new Invalid("parameter " + Quoted.text(key) + " of the access class is unknown; there are "
                        + new TreeSet<>(OF_THE_CLASS));
            }
        }
        text(Keys.ROTATE_AT).ifPresent(Permissions::checkTime);
        AccessMode mode = text(Keys.ACCESS_MODE).map(AccessMode::parse).orElse(AccessMode.READ_WRITE);
        if (mode == AccessMode.NONE) {
            throw new Invalid("accessMode \"none\" grants nothing; use ro, wo or rw");
        }
        return new Access(mode, text(Keys.PREFIX).orElse(""), words(Keys.ALLOW), words(Keys.DENY));
    }

    private Optional<String> text(String key) {
        return Optional.ofNullable(given.get(key)).map(String::strip).filter(value -> !value.isEmpty());
    }

    private Set<String> words(String key) {
        return Arrays.stream(given.getOrDefault(key, "").split(",", -1))
                .map(String::strip)
                .filter(word -> !word.isEmpty())
                .collect(Collectors.toUnmodifiableSet());
    }

    private static void checkTime(String text) {
        try {
            OffsetDateTime.parse(text);
        } catch (DateTimeParseException e) {
            throw new Invalid(Keys.ROTATE_AT + " " + Quoted.text(text) + " must be a time, as 2026-11-15T12:00:00Z", e);
        }
    }
}
