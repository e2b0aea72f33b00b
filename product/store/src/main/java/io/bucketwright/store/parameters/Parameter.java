package io.bucketwright.store.parameters;

import io.bucketwright.store.errors.InputText;
import io.bucketwright.store.errors.StoreException.Invalid;
import java.util.function.Consumer;
import java.util.regex.Pattern;

/**
 * One parameter of a class: its name, its description and its validation.
 *
 * @param defaultValue the value if the class does not set it; empty for no default
 * @param check throws {@link Invalid} for an invalid value
 * @param isConnection whether it only says how the store is reached, so that bound buckets follow a change of it
 */
public record Parameter(
        String name,
        String description,
        boolean required,
        String defaultValue,
        Consumer<String> check,
        boolean isConnection) {

    public Parameter {
        if (name.isBlank() || description.isBlank()) {
            throw new IllegalArgumentException("a parameter needs a name and a description");
        }
        if (!defaultValue.isEmpty()) {
            if (required) {
                throw new IllegalArgumentException("parameter " + name + " is required and has a default");
            }
            check.accept(defaultValue);
        }
    }

    public static Parameter required(String name, String description) {
        return new Parameter(name, description, true, "", value -> {}, false);
    }

    public static Parameter optional(String name, String description) {
        return new Parameter(name, description, false, "", value -> {}, false);
    }

    public Parameter withDefault(String value) {
        return new Parameter(name, description, required, value, check, isConnection);
    }

    /**
     * Sets the validation.
     *
     * @param newCheck usually a parser such as {@code Endpoint::parse}, whose result is ignored
     */
    public Parameter checkedBy(Consumer<String> newCheck) {
        return new Parameter(name, description, required, defaultValue, newCheck, isConnection);
    }

    /** Only says how the store is reached: a change does not mean another store or another bucket. */
    public Parameter connection() {
        return new Parameter(name, description, required, defaultValue, check, true);
    }

    /** Accepts only {@code true} and {@code false}. */
    public Parameter bool() {
        return either("true", "false");
    }

    /** Accepts only these two values. */
    public Parameter either(String one, String other) {
        return matching(Pattern.compile(Pattern.quote(one) + "|" + Pattern.quote(other)), one + " or " + other);
    }

    /**
     * Accepts only values of this shape.
     *
     * @param expected completes the sentence "… must be"
     */
    public Parameter matching(Pattern shape, String expected) {
        return checkedBy(value -> {
            if (!shape.matcher(value).matches()) {
                throw new Invalid(InputText.quote(value) + " must be " + expected);
            }
        });
    }
}
