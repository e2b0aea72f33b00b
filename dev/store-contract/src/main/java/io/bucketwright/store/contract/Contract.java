package io.bucketwright.store.contract;

import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.bucketwright.store.Adopting;
import io.bucketwright.store.BucketStore;
import io.bucketwright.store.DeleteRequest;
import io.bucketwright.store.GrantRequest;
import io.bucketwright.store.Listing;
import io.bucketwright.store.Measuring;
import io.bucketwright.store.OnNotEmpty;
import io.bucketwright.store.Progress;
import io.bucketwright.store.ProvisionRequest;
import io.bucketwright.store.ProvisionRequest.Naming;
import io.bucketwright.store.Rotating;
import io.bucketwright.store.StoreCall;
import io.bucketwright.store.access.Access;
import io.bucketwright.store.access.BucketName;
import io.bucketwright.store.access.BucketOwner;
import io.bucketwright.store.connection.Credentials.AccessKey;
import io.bucketwright.store.connection.ProvisionedBucket;
import io.bucketwright.store.options.BucketOptions;
import io.bucketwright.store.options.Capability;
import java.time.Duration;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;

/** The base of all parts of the contract. */
public interface Contract {

    /** A deletion in more slices does not end. */
    int MAX_SLICES = 1_000;

    StoreUnderTest subject();

    /** The bucket of this test. It does not exist at first. */
    BucketName bucket();

    /** The owner of this test. */
    BucketOwner owner();

    /** Another owner, whose principal is deleted after the test. */
    BucketOwner newOwner();

    /** The name of another bucket, which is deleted after the test. */
    BucketName newBucket();

    /** Skips the test if the store does not have this capability. */
    default void needs(Capability capability) {
        markAsked(capability);
        assumeTrue(supports(capability), "the store does not support " + capability);
    }

    /** Whether the store has this capability. A test that asks tests it, if the store has it. */
    default boolean supports(Capability capability) {
        boolean supported = store().capabilities().contains(capability);
        if (supported) {
            markTested(capability);
        }
        return supported;
    }

    /** Records that this test is skipped without the capability. */
    void markAsked(Capability capability);

    /** Records that this test tests the capability. */
    void markTested(Capability capability);

    /** Skips the test if the store has no objects. */
    default void needsObjects() {
        assumeTrue(subject().hasObjects(), "the store has no objects");
    }

    default BucketStore store() {
        return subject().store();
    }

    default Rotating rotating() {
        return (Rotating) store();
    }

    default Adopting adopting() {
        return (Adopting) store();
    }

    default Listing listing() {
        return (Listing) store();
    }

    default Measuring measuring() {
        return (Measuring) store();
    }

    default StoreCall call() {
        return StoreCall.within(Duration.ofSeconds(30));
    }

    default BucketName foreignBucket() {
        BucketName bucket = newBucket();
        subject().createBucket(bucket);
        return bucket;
    }

    default ProvisionRequest request(BucketName bucket, BucketOwner owner, Access access) {
        return new ProvisionRequest(bucket, Naming.GIVEN, owner, access, BucketOptions.unmanaged(), Set.of());
    }

    default ProvisionedBucket provision(BucketName bucket, BucketOwner owner) {
        return provision(bucket, owner, Access.readWrite());
    }

    default ProvisionedBucket provision(BucketName bucket, BucketOwner owner, Access access) {
        return store().provision(call(), request(bucket, owner, access));
    }

    default ProvisionedBucket grant(BucketName bucket, BucketOwner owner, Access access) {
        return store().grant(call(), new GrantRequest(bucket, owner, access, Set.of()));
    }

    /** Issues new credentials beside the published ones, as a rotation does. */
    default ProvisionedBucket rotate(BucketName bucket, BucketOwner owner, ProvisionedBucket published) {
        return store().grant(call(), rotation(bucket, owner, published));
    }

    default GrantRequest rotation(BucketName bucket, BucketOwner owner, ProvisionedBucket... published) {
        return new GrantRequest(
                bucket,
                owner,
                Access.readWrite(),
                Stream.of(published).map(Contract::keyId).collect(Collectors.toSet()));
    }

    static String keyId(ProvisionedBucket made) {
        return made.credentials().keyId().orElseThrow();
    }

    /** The access key of an application that uses S3. */
    static AccessKey accessKey(ProvisionedBucket made) {
        return new AccessKey(
                keyId(made), Objects.requireNonNull(made.credentials().values().get("AWS_SECRET_ACCESS_KEY")));
    }

    /** Deletes in as many slices as necessary, and returns their number. */
    default int delete(BucketName bucket, BucketOwner owner, OnNotEmpty onNotEmpty) {
        return delete(new DeleteRequest(bucket, owner, onNotEmpty));
    }

    /** Deletes in as many slices as necessary, and returns their number. */
    default int delete(DeleteRequest request) {
        for (int slices = 1; slices <= MAX_SLICES; slices++) {
            if (store().delete(call(), request) instanceof Progress.Done) {
                return slices;
            }
        }
        throw new AssertionError("the deletion of " + request.bucket() + " does not end");
    }

    default ObjectClient application(ProvisionedBucket made) {
        return subject().application(made);
    }

    /** Asserts that the store refuses an application, at the latest after the propagation delay. */
    default void refused(ThrowingCallable attempt) {
        eventually(() -> assertThatThrownBy(attempt).isInstanceOf(ObjectClient.Refused.class));
    }

    default void eventually(Runnable assertion) {
        long end = System.nanoTime() + subject().propagationDelay().toNanos();
        while (true) {
            try {
                assertion.run();
                return;
            } catch (AssertionError | ObjectClient.Refused notYet) {
                if (System.nanoTime() >= end) {
                    throw notYet;
                }
                pause();
            }
        }
    }

    /** Waits a moment before the next look at the store. */
    default void pause() {
        try {
            Thread.sleep(Duration.ofMillis(100));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }
}
