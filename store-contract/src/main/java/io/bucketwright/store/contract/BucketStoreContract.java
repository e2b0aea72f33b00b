package io.bucketwright.store.contract;

import org.junit.jupiter.api.AfterEach;

/** The conformance tests of a store. Extend this class in a test of your store. */
public abstract class BucketStoreContract
        implements OwnershipContract,
                AccessContract,
                KeyContract,
                DeletionContract,
                OptionContract,
                FailureContract,
                CrashContract {

    private final Fixture fixture;

    /** JUnit creates one instance for each test: open expensive resources once, outside of this class. */
    protected BucketStoreContract(StoreUnderTest subject) {
        this.fixture = new Fixture(subject);
    }

    @Override
    public final Fixture fixture() {
        return fixture;
    }

    @AfterEach
    void cleanUp() {
        fixture.cleanUp();
    }
}
