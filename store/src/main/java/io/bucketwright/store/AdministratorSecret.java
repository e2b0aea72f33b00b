package io.bucketwright.store;

import io.bucketwright.store.connection.SecretValue;

import io.bucketwright.store.errors.StoreException.Denied;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The credentials with which a store is administered; the contents of a Secret, as its author spelled them.
 *
 * @param data by key; prints no value
 */
public record AdministratorSecret(Map<String, SecretValue> data) {

    public AdministratorSecret {
        data = Map.copyOf(data);
    }

    public static AdministratorSecret none() {
        return new AdministratorSecret(Map.of());
    }

    public Optional<SecretValue> find(String... spellings) {
        return Stream.of(spellings)
                .flatMap(key -> Optional.ofNullable(data.get(key)).stream())
                .filter(value -> !value.isEmpty())
                .findFirst();
    }

    /**
     * The value under the first of these keys that is there.
     *
     * @throws Denied if none of the keys is there
     */
    public SecretValue require(String... spellings) {
        return find(spellings)
                .orElseThrow(() -> new Denied(
                        "The administrator's Secret has none of the keys " + String.join(", ", spellings) + "."));
    }
}
