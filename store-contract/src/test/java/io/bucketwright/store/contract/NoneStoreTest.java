package io.bucketwright.store.contract;

import io.bucketwright.store.access.Access;
import io.bucketwright.store.AdministratorSecret;
import io.bucketwright.store.access.BucketName;
import io.bucketwright.store.options.BucketOptions;
import io.bucketwright.store.BucketStore;
import io.bucketwright.store.StoreCall;
import io.bucketwright.store.access.BucketOwner;
import io.bucketwright.store.ProvisionRequest;
import io.bucketwright.store.connection.ProvisionedBucket;
import io.bucketwright.store.errors.StoreException.NotFound;
import io.bucketwright.store.none.NoneStoreFactory;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Disabled;

/** The store that makes nothing keeps the contract as far as it goes. */
final class NoneStoreTest extends BucketStoreContract {

    NoneStoreTest() {
        super(new Nothing());
    }

    @Override
    @Disabled("it takes any keys")
    public void wrongKeysAreDenied() {}

    @Override
    @Disabled("nobody but itself can make a bucket in it, and it marks what it makes")
    public void aBucketWithoutAMarkIsAdoptedOnlyOnTheAdministratorsWord() {}

    private static final class Nothing implements StoreUnderTest {
        private final BucketStore store = open(Map.of());

        private static BucketStore open(Map<String, String> parameters) {
            NoneStoreFactory factory = new NoneStoreFactory();
            return factory.open(factory.parameters().parse(parameters), AdministratorSecret.none());
        }

        @Override
        public BucketStore store() {
            return store;
        }

        @Override
        public BucketStore storeWithWrongKeys() {
            return store;
        }

        @Override
        public BucketStore storeThatIsDown() {
            return open(Map.of("failurePercent", "100"));
        }

        @Override
        public boolean hasObjects() {
            return false;
        }

        @Override
        public ObjectClient application(ProvisionedBucket made) {
            throw new AssertionError("there are no objects");
        }

        @Override
        public void makeBucket(BucketName bucket) {
            BucketOwner somebodyElse = new BucketOwner("another-cluster", "somebody-else");
            ProvisionRequest request = new ProvisionRequest(
                    bucket,
                    ProvisionRequest.Naming.GIVEN,
                    somebodyElse,
                    Access.none(),
                    BucketOptions.unmanaged(),
                    Set.of());
            store.provision(StoreCall.within(Duration.ofSeconds(1)), request);
        }

        @Override
        public void removeBucket(BucketName bucket) {}

        @Override
        public boolean bucketExists(BucketName bucket) {
            try {
                store.usage(StoreCall.within(Duration.ofSeconds(1)), bucket);
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
        public boolean leaveTraces(BucketName bucket) {
            return false;
        }
    }
}
