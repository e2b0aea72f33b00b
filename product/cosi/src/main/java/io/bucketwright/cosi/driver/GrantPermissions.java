package io.bucketwright.cosi.driver;

import io.bucketwright.cosi.wire.ParameterKeys;
import io.bucketwright.store.access.Access;
import io.bucketwright.store.access.AccessMode;
import io.bucketwright.store.errors.InputText;
import io.bucketwright.store.errors.StoreException.Invalid;
import java.time.OffsetDateTime;
import java.time.format.DateTimeParseException;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** The map {@code permissions} of a request. Each part is checked when it is read. */
record GrantPermissions(Map<String, String> given) {

    static final Set<String> OF_THE_CLASS =
            Set.of(ParameterKeys.ACCESS_MODE, ParameterKeys.PREFIX, ParameterKeys.OBJECT_LOCK);

    GrantPermissions {
        given = Map.copyOf(given);
    }

    Optional<String> account() {
        return text(ParameterKeys.ACCOUNT);
    }

    Optional<String> serviceAccount() {
        return text(ParameterKeys.SERVICE_ACCOUNT);
    }

    /** Ids of keys that stay valid beside the new one. */
    Set<String> publishedKeys() {
        return words(ParameterKeys.PUBLISHED_KEYS);
    }

    /**
     * What is granted.
     *
     * @throws Invalid if a value is not of its form, or a parameter of the access class is unknown
     */
    Access access() {
        for (String key : new TreeSet<>(given.keySet())) {
            if (!key.startsWith(ParameterKeys.RESERVED) && !OF_THE_CLASS.contains(key)) {
                throw new Invalid("parameter " + InputText.quote(key)
                        + " of the BucketAccessClass is unknown; valid are " + new TreeSet<>(OF_THE_CLASS));
            }
        }
        text(ParameterKeys.ROTATE_AT).ifPresent(GrantPermissions::checkTime);
        AccessMode mode = text(ParameterKeys.ACCESS_MODE).map(AccessMode::parse).orElse(AccessMode.READ_WRITE);
        if (mode == AccessMode.NONE) {
            throw new Invalid("accessMode \"none\" grants nothing; use ro, wo or rw");
        }
        return new Access(
                        mode,
                        text(ParameterKeys.PREFIX).orElse(""),
                        words(ParameterKeys.ALLOW),
                        words(ParameterKeys.DENY))
                .withObjectLock(text(ParameterKeys.OBJECT_LOCK)
                        .filter(GrantPermissions::isTrue)
                        .isPresent());
    }

    private static boolean isTrue(String text) {
        return switch (text) {
            case "true" -> true;
            case "false" -> false;
            default ->
                throw new Invalid(ParameterKeys.OBJECT_LOCK + " " + InputText.quote(text) + " must be true or false");
        };
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
            throw new Invalid(
                    ParameterKeys.ROTATE_AT + " " + InputText.quote(text) + " must be a time, as 2026-11-15T12:00:00Z",
                    e);
        }
    }
}
