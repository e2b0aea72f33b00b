package io.bucketwright.store.parameters;

import io.bucketwright.store.errors.InputText;
import io.bucketwright.store.errors.StoreException.Invalid;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/**
 * All parameters that a class can set. Validates a class and generates its documentation.
 *
 * @param all the parameters in the order of the documentation
 * @param check throws {@link Invalid} for parameters that contradict each other
 */
public record ParameterSchema(List<Parameter> all, Consumer<Parameters> check) {

    public ParameterSchema {
        all = List.copyOf(all);
        Set<String> names = new LinkedHashSet<>();
        for (Parameter parameter : all) {
            if (!names.add(parameter.name())) {
                throw new IllegalArgumentException("parameter " + parameter.name() + " is declared twice");
            }
        }
    }

    public static ParameterSchema of(Parameter... parameters) {
        return new ParameterSchema(List.of(parameters), values -> {});
    }

    /** Combines two schemas: a class has parameters for its controller and parameters for its store. */
    public ParameterSchema plus(ParameterSchema other) {
        List<Parameter> both = new ArrayList<>(all);
        both.addAll(other.all);
        return new ParameterSchema(both, check.andThen(other.check));
    }

    public Set<String> names() {
        return all.stream().map(Parameter::name).collect(Collectors.toUnmodifiableSet());
    }

    /** The names of the parameters that only say how the store is reached. */
    public Set<String> connectionNames() {
        return all.stream()
                .filter(Parameter::isConnection)
                .map(Parameter::name)
                .collect(Collectors.toUnmodifiableSet());
    }

    /**
     * Validates the parameters of a class and adds the defaults.
     *
     * @throws Invalid if a parameter is unknown, missing or invalid; the message names it
     */
    public Parameters parse(Map<String, String> given) {
        return parse(given, Set.of());
    }

    /**
     * Validates the parameters of a class and adds the defaults.
     *
     * @param ignored names of parameters that another schema validates; they are not in the result
     * @throws Invalid if a parameter is unknown, missing or invalid; the message names it
     */
    public Parameters parse(Map<String, String> given, Set<String> ignored) {
        for (String name : new TreeMap<>(given).keySet()) {
            if (!isKnown(name) && !ignored.contains(name)) {
                throw new Invalid("parameter " + InputText.quote(name) + " is unknown; " + suggestion(name)
                        + "docs/reference/parameters.md has all parameters");
            }
        }
        Map<String, String> values = new TreeMap<>();
        for (Parameter parameter : all) {
            String value = given.getOrDefault(parameter.name(), "").strip();
            if (!value.isEmpty()) {
                check(parameter, value);
                values.put(parameter.name(), value);
            } else if (parameter.required()) {
                throw new Invalid("parameter " + parameter.name() + " is missing: " + parameter.description());
            } else if (!parameter.defaultValue().isEmpty()) {
                values.put(parameter.name(), parameter.defaultValue());
            }
        }
        Parameters parameters = new Parameters(values);
        check.accept(parameters);
        return parameters;
    }

    private String suggestion(String name) {
        List<String> similar =
                SimilarNames.of(name, all.stream().map(Parameter::name).toList());
        return similar.isEmpty() ? "" : "did you mean " + String.join(" or ", similar) + "? ";
    }

    private boolean isKnown(String name) {
        for (Parameter parameter : all) {
            if (parameter.name().equals(name)) {
                return true;
            }
        }
        return false;
    }

    /** The documentation as a Markdown table. */
    public String markdown() {
        StringBuilder table = new StringBuilder("| parameter | meaning | default |\n|---|---|---|\n");
        for (Parameter parameter : all) {
            String defaultValue = parameter.required()
                    ? "**required**"
                    : parameter.defaultValue().isEmpty() ? "" : "`" + parameter.defaultValue() + "`";
            table.append("| `%s` | %s | %s |\n"
                    .formatted(parameter.name(), parameter.description().replace("|", "\\|"), defaultValue));
        }
        return table.toString();
    }

    private static void check(Parameter parameter, String value) {
        try {
            parameter.check().accept(value);
        } catch (Invalid e) {
            throw new Invalid("parameter " + parameter.name() + ": " + e.getMessage(), e);
        }
    }
}
