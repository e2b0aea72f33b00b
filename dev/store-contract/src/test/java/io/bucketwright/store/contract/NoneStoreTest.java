package io.bucketwright.store.contract;

import org.junit.jupiter.api.Disabled;

/** The store that creates nothing passes all tests that need no objects. */
final class NoneStoreTest extends BucketStoreContract {

    NoneStoreTest() {
        super(new NoneStoreUnderTest());
    }

    @Override
    @Disabled("it accepts any credentials")
    public void invalidCredentialsAreDenied() {}

    @Override
    @Disabled("an administrator cannot create a bucket without an owner in it")
    public void anUntaggedBucketIsAdoptedOnlyIfAllowed() {}

    @Override
    @Disabled("an administrator cannot create a bucket without an owner in it")
    public void aBucketWithoutOwnerIsListedToo() {}
}
