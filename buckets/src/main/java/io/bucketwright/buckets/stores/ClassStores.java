package io.bucketwright.buckets.stores;

import io.bucketwright.buckets.classes.BucketClass;
import io.bucketwright.buckets.classes.ClassParameters;
import io.bucketwright.buckets.classes.SecretName;
import io.bucketwright.store.BucketStore;
import io.bucketwright.store.Stores;
import io.bucketwright.store.errors.StoreException.Denied;
import io.bucketwright.store.parameters.Parameters;
import java.util.List;
import java.util.function.Function;

/** Stores of one kind, opened by the parameters of each class. */
public final class ClassStores implements StoreSource {

    private final Stores stores;
    private final String kind;
    private final AdministratorSecrets secrets;

    public ClassStores(Stores stores, String kind, AdministratorSecrets secrets) {
        this.stores = stores;
        this.kind = stores.factory(kind).name();
        this.secrets = secrets;
    }

    @Override
    public ClassStore of(BucketClass bucketClass) {
        Parameters parameters =
                stores.factory(kind).parameters().parse(bucketClass.reference().parameters(), ClassParameters.names());
        return new Opened(parameters, bucketClass.administrator());
    }

    @Override
    public void close() {
        stores.close();
    }

    private final class Opened implements ClassStore {

        private final Parameters parameters;
        private final SecretName administrator;

        Opened(Parameters parameters, SecretName administrator) {
            this.parameters = parameters;
            this.administrator = administrator;
        }

        @Override
        public Object identity() {
            return List.of(parameters, administrator);
        }

        @Override
        public <R> R use(Function<BucketStore, R> call) {
            AdministratorSecrets.Version secret = secrets.read(administrator);
            try (Stores.Lease lease = stores.lease(kind, parameters, secret.version(), secret::secret)) {
                return call.apply(lease.store());
            } catch (Denied e) {
                // The credentials may have changed in the store and in the Secret: read the Secret again next time.
                secrets.forget(administrator);
                throw e;
            }
        }
    }
}
