package io.bucketwright.buckets.stores;

import io.bucketwright.api.BucketIntent;
import io.bucketwright.buckets.classes.BucketClass;
import io.bucketwright.buckets.classes.ClassParameters;
import io.bucketwright.store.errors.StoreException.Invalid;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
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
        BucketClass own = stores.recorded(intent);
        Map<String, String> recorded = own.reference().parameters();
        Optional<BucketClass> current = classes.apply(intent.storageClassName());
        if (current.isEmpty()) {
            return BoundStore.asRecorded(own);
        }
        Map<String, String> parameters = reachedAs(current.get(), recorded);
        if (parameters.equals(recorded)) {
            return BoundStore.asRecorded(own);
        }
        // Otherwise a default that depends on them would change too, for example the API for users.
        stores.of(own).implied().forEach(parameters::putIfAbsent);
        Object former = stores.of(own).location();
        try {
            BucketClass changed = changed(intent, current.get(), parameters);
            boolean same = stores.of(changed).location().equals(former)
                    || current.get().isSameStoreAs(former);
            return new BoundStore(own, same ? Optional.of(changed) : Optional.empty(), "", !same);
        } catch (Invalid unfit) {
            return new BoundStore(own, Optional.empty(), String.valueOf(unfit.getMessage()), false);
        }
    }

    /**
     * The class of a bucket with these parameters. Another way to reach the store may need one that is not recorded: a project
     * that only the key of the former administrator named. Then the class of today tells it, and nothing else is taken from it.
     *
     * @throws Invalid if the recorded parameters and those of the class do not fit together
     */
    private BucketClass changed(BucketIntent intent, BucketClass current, Map<String, String> parameters) {
        String uid = current.reference().uid();
        BucketClass changed = BucketClass.of(intent.withClass(uid, parameters));
        Optional<Invalid> problem = problem(changed);
        if (problem.isEmpty()) {
            return changed;
        }
        Map<String, String> more = new TreeMap<>(current.reference().parameters());
        more.keySet().removeAll(ClassParameters.names());
        more.keySet().removeAll(parameters.keySet());
        return more.entrySet().stream()
                .map(one -> {
                    Map<String, String> completed = new HashMap<>(parameters);
                    completed.put(one.getKey(), one.getValue());
                    return BucketClass.of(intent.withClass(uid, completed));
                })
                .filter(completed -> problem(completed).isEmpty())
                .findFirst()
                .orElseThrow(problem::get);
    }

    private Optional<Invalid> problem(BucketClass bucketClass) {
        try {
            Object _ = stores.of(bucketClass).location();
            return Optional.empty();
        } catch (Invalid problem) {
            return Optional.of(problem);
        }
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
