package io.bucketwright.store.contract;

import io.bucketwright.store.AdministratorSecret;
import io.bucketwright.store.BucketStore;
import io.bucketwright.store.CompleteStore;
import io.bucketwright.store.ProvisionRequest;
import io.bucketwright.store.StoreCall;
import io.bucketwright.store.access.Access;
import io.bucketwright.store.access.BucketName;
import io.bucketwright.store.access.BucketOwner;
import io.bucketwright.store.connection.ProvisionedBucket;
import io.bucketwright.store.errors.StoreException.NotFound;
import io.bucketwright.store.none.NoneStoreFactory;
import io.bucketwright.store.options.BucketOptions;
import java.time.Duration;
import java.util.Map;
import java.util.Set;

/** Gives tests access to a store that creates nothing. */
class NoneStoreUnderTest implements StoreUnderTest {

    private final CompleteStore store = open(Map.of());

    private static CompleteStore open(Map<String, String> parameters) {
        NoneStoreFactory factory = new NoneStoreFactory();
        return factory.open(factory.parameters().parse(parameters), AdministratorSecret.none());
    }

    @Override
    public BucketStore store() {
        return store;
    }

    @Override
    public BucketStore storeWithInvalidCredentials() {
        return store;
    }

    @Override
    public BucketStore unreachableStore() {
        return open(Map.of("failurePercent", "100"));
    }

    @Override
    public boolean hasObjects() {
        return false;
    }

    @Override
    public ObjectClient application(ProvisionedBucket bucket) {
        throw new AssertionError("this store has no objects");
    }

    @Override
    public void createBucket(BucketName bucket) {
        BucketOwner somebodyElse = new BucketOwner("another-cluster", "somebody-else");
        ProvisionRequest request = new ProvisionRequest(
                bucket,
                ProvisionRequest.Naming.GIVEN,
                somebodyElse,
                Access.none(),
                BucketOptions.unmanaged(),
                Set.of());
        store.provision(StoreCall.within(Duration.ofMinutes(1)), request);
    }

    @Override
    public void deleteBucket(BucketName bucket) {}

    @Override
    public boolean bucketExists(BucketName bucket) {
        try {
            store.usage(StoreCall.within(Duration.ofMinutes(1)), bucket);
            return true;
        } catch (NotFound missing) {
            return false;
        }
    }

    @Override
    public Map<String, String> tags(BucketName bucket) {
        return Map.of();
    }

    @Override
    public void addTag(BucketName bucket, String key, String value) {}

    @Override
    public boolean addVersionsAndUploads(BucketName bucket) {
        return false;
    }
}
