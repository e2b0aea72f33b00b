package io.bucketwright.buckets.stores;

import io.bucketwright.api.BucketIntent;
import io.bucketwright.buckets.classes.BucketClass;
import io.bucketwright.store.errors.StoreException.Invalid;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/**
 * Finds out how the store of a recorded bucket is reached. What decides about the bucket stays as it was recorded; endpoint,
 * certificates, proxy, time limits and administrator come from the class of the same name, as long as it names the same store.
 *
 * @param classes the valid classes of this provisioner, by name
 */
public record StoreRoutes(StoreSource stores, Function<String, Optional<BucketClass>> classes) {

    /**
     * The store of a bucket. Sends no request.
     *
     * @throws Invalid if a recorded parameter is invalid
     */
    public BoundStore of(BucketIntent intent) {
        Map<String, String> recorded = stores.known(intent.parameters());
        BucketClass own = BucketClass.of(intent.withClass(intent.storageClassUid(), recorded));
        Optional<BucketClass> current = classes.apply(intent.storageClassName());
        if (current.isEmpty()) {
            return new BoundStore(own, Optional.empty(), false);
        }
        Map<String, String> parameters = reachedAs(current.get(), recorded);
        if (parameters.equals(recorded)) {
            return new BoundStore(own, Optional.empty(), false);
        }
        // Otherwise a default that depends on them would change too, for example the API for users.
        stores.of(own).implied().forEach(parameters::putIfAbsent);
        BucketClass changed =
                BucketClass.of(intent.withClass(current.get().reference().uid(), parameters));
        Object former = stores.of(own).location();
        boolean same =
                stores.of(changed).location().equals(former) || current.get().isSameStoreAs(former);
        return new BoundStore(own, same ? Optional.of(changed) : Optional.empty(), !same);
    }

    private Map<String, String> reachedAs(BucketClass current, Map<String, String> recorded) {
        Set<String> names = stores.connectionNames();
        Map<String, String> parameters = new HashMap<>(recorded);
        parameters.keySet().removeAll(names);
        current.reference().parameters().forEach((name, value) -> {
            if (names.contains(name)) {
                parameters.put(name, value);
            }
        });
        return parameters;
    }
}
