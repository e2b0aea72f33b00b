package io.bucketwright.store.contract;

import io.bucketwright.store.BucketStore;
import io.bucketwright.store.access.BucketName;
import io.bucketwright.store.access.BucketOwner;
import io.bucketwright.store.options.Capability;
import java.security.SecureRandom;
import java.util.EnumSet;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.extension.ExtendWith;

/** The conformance tests of a store. Extend this class in a test of your store. */
@ExtendWith(CapabilityCoverage.class)
public abstract class BucketStoreContract
        implements OwnershipContract,
                AccessContract,
                KeyContract,
                DeletionContract,
                OptionContract,
                ListingContract,
                FailureContract,
                CrashContract {

    private final StoreUnderTest subject;
    private final SecureRandom random = new SecureRandom();
    private final Set<BucketName> buckets = new LinkedHashSet<>();
    private final Set<BucketOwner> owners = new LinkedHashSet<>();
    private final Set<Capability> tested = EnumSet.noneOf(Capability.class);
    private final Set<Capability> asked = EnumSet.noneOf(Capability.class);
    private final BucketName bucket = newBucket();
    private final BucketOwner owner = newOwner();

    /** JUnit creates one instance for each test: open expensive resources once, outside of this class. */
    protected BucketStoreContract(StoreUnderTest subject) {
        this.subject = subject;
    }

    @Override
    public final StoreUnderTest subject() {
        return subject;
    }

    @Override
    public final void markTested(Capability capability) {
        tested.add(capability);
    }

    @Override
    public final void markAsked(Capability capability) {
        asked.add(capability);
    }

    /** The capabilities that this test needs. */
    final Set<Capability> asked() {
        return asked;
    }

    /** The capabilities that this test has tested. */
    final Set<Capability> tested() {
        return tested;
    }

    @Override
    public final BucketName bucket() {
        return bucket;
    }

    @Override
    public final BucketOwner owner() {
        return owner;
    }

    @Override
    public final BucketOwner newOwner() {
        BucketOwner added =
                new BucketOwner("contract-cluster", UUID.randomUUID().toString());
        owners.add(added);
        return added;
    }

    @Override
    public final BucketName newBucket() {
        BucketName added = BucketName.generate("contract", random);
        buckets.add(added);
        return added;
    }

    @AfterEach
    void cleanUp() {
        BucketStore store = store();
        owners.forEach(used -> store.revoke(call(), bucket, used));
        buckets.forEach(subject::deleteBucket);
    }
}
