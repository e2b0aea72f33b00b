package io.bucketwright.store.contract;

import org.junit.jupiter.api.AfterEach;

/** Extend this, and your store's tests are written. */
public abstract class BucketStoreContract
        implements OwnershipContract,
                AccessContract,
                KeyContract,
                DeletionContract,
                OptionContract,
                FailureContract,
                CrashContract {

    private final Fixture fixture;

    /** JUnit makes one object for each test: open what is costly once, elsewhere. */
    protected BucketStoreContract(StoreUnderTest subject) {
        this.fixture = new Fixture(subject);
    }

    @Override
    public final Fixture fixture() {
        return fixture;
    }

    @AfterEach
    void takeAwayWhatTheTestMade() {
        fixture.cleanUp();
    }
}
