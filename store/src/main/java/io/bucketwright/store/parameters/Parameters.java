package io.bucketwright.store.parameters;


import io.bucketwright.store.errors.StoreException.Invalid;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * The parameters of a class, checked by a {@link ParameterSchema} and completed by its defaults. Equal ones open the
 * same store.
 */
public record Parameters(Map<String, String> values) {

    public Parameters {
        values = Map.copyOf(new TreeMap<>(values));
    }

    /**
     * The value of a parameter that is always there.
     *
     * @throws Invalid if it is not there; which cannot be if the schema requires it or has a default
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
