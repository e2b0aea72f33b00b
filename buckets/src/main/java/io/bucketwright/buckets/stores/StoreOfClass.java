package io.bucketwright.buckets.stores;

import io.bucketwright.buckets.classes.BucketClass;
import io.bucketwright.buckets.classes.ClassParameters;
import io.bucketwright.store.BucketStore;
import io.bucketwright.store.parameters.Parameters;
import io.bucketwright.store.errors.StoreException.Denied;
import io.bucketwright.store.Stores;
import java.util.List;
import java.util.function.Function;

/** Stores of one kind, opened by the parameters of each class. */
public final class StoreOfClass implements StoreSource {

    private final Stores stores;
    private final String kind;
    private final AdministratorSecrets secrets;

    public StoreOfClass(Stores stores, String kind, AdministratorSecrets secrets) {
        this.stores = stores;
        this.kind = stores.factory(kind).name();
        this.secrets = secrets;
    }

    @Override
    public void check(BucketClass bucketClass) {
        parameters(bucketClass);
    }

    @Override
    public <R> R with(BucketClass bucketClass, Function<BucketStore, R> use) {
        Parameters parameters = parameters(bucketClass);
        AdministratorSecrets.Version secret = secrets.read(bucketClass.administrator());
        try (Stores.Lease lease = stores.lease(kind, parameters, secret.version(), secret::secret)) {
            return use.apply(lease.store());
        } catch (Denied e) {
            // Perhaps the keys were changed in the store and in the Secret: the next try reads it again.
            secrets.forget(bucketClass.administrator());
            throw e;
        }
    }

    @Override
    public Object identity(BucketClass bucketClass) {
        return List.of(parameters(bucketClass), bucketClass.administrator());
    }

    @Override
    public void close() {
        stores.close();
    }

    private Parameters parameters(BucketClass bucketClass) {
        return stores.factory(kind).parameters().parse(bucketClass.reference().parameters(), ClassParameters.names());
    }
}
