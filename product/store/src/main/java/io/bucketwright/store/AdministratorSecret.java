package io.bucketwright.store;

import io.bucketwright.store.access.TextDigest;
import io.bucketwright.store.connection.SecretValue;
import io.bucketwright.store.errors.StoreException.Denied;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The administrator's credentials for a store: the contents of a Secret.
 *
 * @param data the values by key
 */
public record AdministratorSecret(Map<String, SecretValue> data) {

    private static final int DIGEST_BYTES = 8;

    public AdministratorSecret {
        data = Map.copyOf(data);
    }

    public static AdministratorSecret none() {
        return new AdministratorSecret(Map.of());
    }

    /** The value of the first of these keys that exists and is not empty. */
    public Optional<SecretValue> find(String... keys) {
        return Stream.of(keys)
                .flatMap(key -> Optional.ofNullable(data.get(key)).stream())
                .filter(value -> !value.isEmpty())
                .findFirst();
    }

    /** A digest of the values of these keys, which shows whether one of them has changed. */
    public String digest(String... keys) {
        return TextDigest.of(Stream.of(keys)
                        .map(key ->
                                key + "=" + find(key).map(SecretValue::reveal).orElse("") + "\n")
                        .collect(Collectors.joining()))
                .hex(DIGEST_BYTES);
    }

    /**
     * The value of the first of these keys that exists.
     *
     * @throws Denied if none of the keys exists
     */
    public SecretValue require(String... keys) {
        return find(keys)
                .orElseThrow(() ->
                        new Denied("The administrator's Secret has none of the keys " + String.join(", ", keys) + "."));
    }
}
