package io.bucketwright.store.contract;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.bucketwright.store.BucketStore;
import io.bucketwright.store.DeleteRequest;
import io.bucketwright.store.GrantRequest;
import io.bucketwright.store.OnNotEmpty;
import io.bucketwright.store.Progress;
import io.bucketwright.store.ProvisionRequest;
import io.bucketwright.store.ProvisionRequest.Naming;
import io.bucketwright.store.StoreCall;
import io.bucketwright.store.access.Access;
import io.bucketwright.store.access.BucketName;
import io.bucketwright.store.access.BucketOwner;
import io.bucketwright.store.connection.ProvisionedBucket;
import io.bucketwright.store.options.BucketOptions;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.UUID;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;

/** Creates the buckets and owners of one test and deletes them afterwards. */
public final class Fixture {

    private static final int MAX_SLICES = 1_000;

    private final StoreUnderTest subject;
    private final SecureRandom random = new SecureRandom();
    private final Set<BucketName> buckets = new LinkedHashSet<>();
    private final Set<BucketOwner> owners = new LinkedHashSet<>();

    Fixture(StoreUnderTest subject) {
        this.subject = subject;
    }

    StoreUnderTest subject() {
        return subject;
    }

    BucketStore store() {
        return subject.store();
    }

    StoreCall call() {
        return StoreCall.within(Duration.ofSeconds(30));
    }

    BucketOwner newOwner() {
        BucketOwner owner =
                new BucketOwner("contract-cluster", UUID.randomUUID().toString());
        owners.add(owner);
        return owner;
    }

    BucketName newBucket() {
        BucketName bucket = BucketName.generate("contract", random);
        buckets.add(bucket);
        return bucket;
    }

    BucketName foreignBucket() {
        BucketName bucket = newBucket();
        subject.createBucket(bucket);
        return bucket;
    }

    ProvisionRequest request(BucketName bucket, BucketOwner owner, Access access) {
        return new ProvisionRequest(bucket, Naming.GIVEN, owner, access, BucketOptions.unmanaged(), Set.of());
    }

    ProvisionedBucket provision(BucketName bucket, BucketOwner owner) {
        return provision(bucket, owner, Access.readWrite());
    }

    ProvisionedBucket provision(BucketName bucket, BucketOwner owner, Access access) {
        return store().provision(call(), request(bucket, owner, access));
    }

    ProvisionedBucket grant(BucketName bucket, BucketOwner owner, Access access) {
        return store().grant(call(), new GrantRequest(bucket, owner, access, Set.of()));
    }

    /** Deletes in as many slices as necessary, and returns their number. */
    int delete(BucketName bucket, BucketOwner owner, OnNotEmpty onNotEmpty) {
        DeleteRequest request = new DeleteRequest(bucket, owner, onNotEmpty);
        for (int slices = 1; slices <= MAX_SLICES; slices++) {
            if (store().delete(call(), request) instanceof Progress.Done) {
                return slices;
            }
        }
        throw new AssertionError("the deletion of " + bucket + " does not end");
    }

    ObjectClient application(ProvisionedBucket made) {
        return subject.application(made);
    }

    /** Asserts that the store refuses an application, at the latest after the propagation delay. */
    void refused(ThrowingCallable attempt) {
        eventually(() -> assertThatThrownBy(attempt).isInstanceOf(ObjectClient.Refused.class));
    }

    void eventually(Runnable assertion) {
        long end = System.nanoTime() + subject.propagationDelay().toNanos();
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

    void cleanUp() {
        BucketStore store = store();
        owners.forEach(owner -> buckets.stream().findFirst().ifPresent(bucket -> store.revoke(call(), bucket, owner)));
        buckets.forEach(subject::deleteBucket);
    }

    private static void pause() {
        try {
            Thread.sleep(Duration.ofMillis(100));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }
}
