package io.bucketwright.buckets.stores;

import io.bucketwright.buckets.classes.BucketClass;
import io.bucketwright.buckets.classes.ClassParameters;
import io.bucketwright.buckets.classes.SecretName;
import io.bucketwright.store.BucketStore;
import io.bucketwright.store.Stores;
import io.bucketwright.store.errors.StoreException.Denied;
import io.bucketwright.store.observation.ObservedStore;
import io.bucketwright.store.observation.StoreObserver;
import io.bucketwright.store.parameters.Parameters;
import java.util.List;
import java.util.function.Function;

/**
 * Stores of one kind, opened by the parameters of each class.
 *
 * @param observer receives each call to one of them
 */
public record ClassStores(Stores stores, String kind, AdministratorSecrets secrets, StoreObserver observer)
        implements StoreSource {

    public ClassStores {
        kind = stores.factory(kind).name();
    }

    /** Stores whose calls nobody observes, for tools. */
    public ClassStores(Stores stores, String kind, AdministratorSecrets secrets) {
        this(stores, kind, secrets, StoreObserver.none());
    }

    @Override
    public ClassStore of(BucketClass bucketClass) {
        Parameters parameters =
                stores.factory(kind).parameters().parse(bucketClass.reference().parameters(), ClassParameters.names());
        return new Opened(this, parameters, bucketClass.administrator());
    }

    @Override
    public void close() {
        stores.close();
    }

    private record Opened(ClassStores source, Parameters parameters, SecretName administrator) implements ClassStore {

        @Override
        public Object identity() {
            return List.of(parameters, administrator);
        }

        @Override
        public Object location() {
            return source.stores.factory(source.kind).location(parameters);
        }

        @Override
        public <R> R use(Function<BucketStore, R> call) {
            AdministratorSecrets.Version secret = source.secrets.read(administrator);
            try (Stores.Lease lease = source.stores.lease(
                    source.kind, parameters, administrator.toString(), secret.version(), secret::secret)) {
                return call.apply(new ObservedStore(source.kind, lease.store(), source.observer));
            } catch (Denied e) {
                // The credentials may have changed in the store and in the Secret: read the Secret again next time.
                source.secrets.forget(administrator);
                throw e;
            }
        }
    }
}
