package io.bucketwright.buckets.stores;

import io.bucketwright.api.BucketIntent;
import io.bucketwright.buckets.classes.BucketClass;
import io.bucketwright.runtime.cache.CacheListener;
import io.bucketwright.runtime.cache.Source;
import io.bucketwright.store.errors.StoreException.Invalid;
import io.fabric8.kubernetes.api.model.Secret;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;

/** Provides the store of a class. */
public interface StoreSource extends AutoCloseable {

    /**
     * The store of a class, which need not be open yet. Sends no request.
     *
     * @throws Invalid naming the class parameter that is wrong
     */
    ClassStore of(BucketClass bucketClass);

    /** The names of the class parameters that only say how the store is reached. */
    default Set<String> connectionNames() {
        return Set.of();
    }

    /**
     * The class as an ObjectBucket records it, with the parameters that this release knows.
     *
     * @throws Invalid if a recorded parameter is invalid
     */
    default BucketClass recorded(BucketIntent intent) {
        return BucketClass.of(intent.withClass(intent.storageClassUid(), known(intent.parameters())));
    }

    /** Those of recorded parameters that this release knows: an earlier one may have had more. */
    default Map<String, String> known(Map<String, String> recorded) {
        return recorded;
    }

    /** The administrator Secrets that are in use; each change of one is reported. */
    default Source<Secret> administrators() {
        return new Changes(_ -> {});
    }

    /**
     * Administrator Secrets that are not listed: none is watched before a claim uses it, and all claims are known then.
     *
     * @param listeners receives each listener of changes
     */
    record Changes(Consumer<CacheListener<? super Secret>> listeners) implements Source<Secret> {

        @Override
        public void listen(CacheListener<? super Secret> listener) {
            listeners.accept(listener);
        }

        @Override
        public List<Secret> list() {
            return List.of();
        }

        @Override
        public boolean synced() {
            return true;
        }
    }

    @Override
    void close();
}
