package io.bucketwright.store.parameters;

import io.bucketwright.store.errors.StoreException.Invalid;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * The parameters of a class, validated by a {@link ParameterSchema} and completed with its defaults. Equal parameters open
 * the same store.
 */
public record Parameters(Map<String, String> values) {

    public Parameters {
        values = Map.copyOf(new TreeMap<>(values));
    }

    /**
     * The value of a parameter that is required or has a default.
     *
     * @throws Invalid if the parameter is missing
     */
    public String text(String name) {
        return find(name).orElseThrow(() -> new Invalid("parameter " + name + " is missing"));
    }

    public Optional<String> find(String name) {
        return Optional.ofNullable(values.get(name));
    }

    public boolean isTrue(String name) {
        return find(name).filter("true"::equals).isPresent();
    }
}
