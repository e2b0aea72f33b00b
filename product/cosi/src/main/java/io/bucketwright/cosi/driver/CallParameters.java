package io.bucketwright.cosi.driver;

import io.bucketwright.cosi.wire.ParameterKeys;
import io.bucketwright.store.OnNotEmpty;
import io.bucketwright.store.errors.InputText;
import io.bucketwright.store.errors.StoreException.Invalid;
import io.bucketwright.store.options.BucketOption.OptionKey;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * The parameters of one call: the driver's own, and the request's beside them. A request may not contradict the driver:
 * whoever started it decided where its credentials are sent.
 *
 * @param store those for the store, unchecked
 * @param options those for the bucket, unchecked
 * @param onNotEmpty what the class or the driver says about the deletion of a bucket with objects; empty if neither does
 * @param adoptFrom the cluster whose buckets the administrator gives to this one; empty if none
 */
record CallParameters(
        Map<String, String> store,
        Map<String, String> options,
        Optional<OnNotEmpty> onNotEmpty,
        Optional<String> adoptFrom) {

    /** The parameter of a bucket class; ObjectBucketClaims have the same one. */
    static final String ON_NOT_EMPTY = "onNotEmpty";

    /** The parameter of a bucket class, or of the driver. */
    static final String ADOPT_FROM_CLUSTER = "adoptFromCluster";

    private static final Set<String> OPTIONS = Arrays.stream(OptionKey.values())
            .map(OptionKey::keys)
            .flatMap(List::stream)
            .collect(Collectors.toUnmodifiableSet());

    CallParameters {
        store = Map.copyOf(store);
        options = Map.copyOf(options);
    }

    /**
     * Puts the two together.
     *
     * @throws Invalid if the request contradicts the driver, or onNotEmpty has an unknown value
     */
    static CallParameters of(Map<String, String> drivers, Map<String, String> requests) {
        return of(drivers, requests, OnNotEmpty::parse);
    }

    /**
     * Puts the two together to end something. An invalid parameter must not prevent that, and must not destroy objects.
     *
     * @param names of the parameters that the store knows; others are left out
     * @throws Invalid if the request contradicts the driver
     */
    static CallParameters toEnd(Map<String, String> drivers, Map<String, String> requests, Set<String> names) {
        return of(drivers, requests, CallParameters::parsedOrBlock).onlyKnown(names);
    }

    /**
     * Those of a class or of the driver, which must not name the owner of a bucket.
     *
     * @throws Invalid if one is reserved
     */
    static Map<String, String> ofAClass(Map<String, String> parameters) {
        Map<String, String> own = withoutReserved(parameters);
        if (own.size() < parameters.size()) {
            throw new Invalid("Parameters that begin with " + ParameterKeys.RESERVED
                    + " are reserved for the caller. Remove them from the class or the driver.");
        }
        return own;
    }

    /** Those that are not the caller's own. */
    static Map<String, String> withoutReserved(Map<String, String> parameters) {
        return remove(new HashMap<>(parameters), key -> !key.startsWith(ParameterKeys.RESERVED));
    }

    private static OnNotEmpty parsedOrBlock(String text) {
        try {
            return OnNotEmpty.parse(text);
        } catch (Invalid unreadable) {
            return OnNotEmpty.BLOCK;
        }
    }

    private static CallParameters of(
            Map<String, String> drivers, Map<String, String> requests, Function<String, OnNotEmpty> parse) {
        Map<String, String> both = new HashMap<>(drivers);
        requests.forEach((key, value) -> {
            String fixed = both.put(key, value);
            if (fixed != null && !fixed.equals(value)) {
                throw new Invalid("parameter " + InputText.quote(key)
                        + " is set by the driver (--param), to another value: remove it"
                        + " from the class, and from spec.parameters of a Bucket that was created with it");
            }
        });
        Map<String, String> options = remove(both, OPTIONS::contains);
        Optional<OnNotEmpty> onNotEmpty =
                Optional.ofNullable(both.remove(ON_NOT_EMPTY)).map(parse);
        Optional<String> adoptFrom =
                Optional.ofNullable(both.remove(ADOPT_FROM_CLUSTER)).filter(id -> !id.isBlank());
        return new CallParameters(both, options, onNotEmpty, adoptFrom);
    }

    private CallParameters onlyKnown(Set<String> names) {
        Map<String, String> known = new HashMap<>(store);
        known.keySet().retainAll(names);
        return new CallParameters(known, Map.of(), onNotEmpty, adoptFrom);
    }

    private static Map<String, String> remove(Map<String, String> all, Predicate<String> chosen) {
        Map<String, String> removed = new HashMap<>(all);
        removed.keySet().removeIf(chosen.negate());
        all.keySet().removeIf(chosen);
        return removed;
    }
}
