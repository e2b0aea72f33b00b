package io.bucketwright.cosi.driver;

import io.bucketwright.cosi.wire.ParameterKeys;
import io.bucketwright.store.errors.InputText;
import io.bucketwright.store.errors.StoreException.Invalid;
import io.bucketwright.store.options.OptionKey;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The parameters of one call: the driver's own, and the request's beside them. A request may not contradict the driver:
 * whoever started it decided where its credentials are sent.
 *
 * @param store those for the store, unchecked
 * @param options those for the bucket, unchecked
 * @param reserved those of the caller itself, which begin with {@code cosi.io/}
 */
record CallParameters(Map<String, String> store, Map<String, String> options, Map<String, String> reserved) {

    private static final Set<String> OPTIONS = Arrays.stream(OptionKey.values())
            .map(OptionKey::keys)
            .flatMap(List::stream)
            .collect(Collectors.toUnmodifiableSet());

    CallParameters {
        store = Map.copyOf(store);
        options = Map.copyOf(options);
        reserved = Map.copyOf(reserved);
    }

    /**
     * Puts the two together.
     *
     * @throws Invalid if the request contradicts the driver
     */
    static CallParameters of(Map<String, String> drivers, Map<String, String> requests) {
        Map<String, String> both = new HashMap<>(drivers);
        requests.forEach((key, value) -> {
            String fixed = both.put(key, value);
            if (fixed != null && !fixed.equals(value)) {
                throw new Invalid(
                        "parameter " + InputText.quote(key) + " is set by the driver and cannot be set otherwise");
            }
        });
        Map<Part, Map<String, String>> parts = both.entrySet().stream()
                .collect(Collectors.groupingBy(
                        entry -> part(entry.getKey()), Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue)));
        return new CallParameters(
                parts.getOrDefault(Part.STORE, Map.of()),
                parts.getOrDefault(Part.OPTION, Map.of()),
                parts.getOrDefault(Part.RESERVED, Map.of()));
    }

    /** Without what the store does not know: to end something, what was wrong with it must not matter. */
    CallParameters onlyKnown(Set<String> names) {
        Map<String, String> known = new HashMap<>(store);
        known.keySet().retainAll(names);
        return new CallParameters(known, Map.of(), reserved);
    }

    private enum Part {
        STORE,
        OPTION,
        RESERVED
    }

    private static Part part(String key) {
        if (key.startsWith(ParameterKeys.RESERVED)) {
            return Part.RESERVED;
        }
        return OPTIONS.contains(key) ? Part.OPTION : Part.STORE;
    }
}
