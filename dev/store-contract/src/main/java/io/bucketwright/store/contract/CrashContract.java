package io.bucketwright.store.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeFalse;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.bucketwright.store.BucketStore;
import io.bucketwright.store.DeleteRequest;
import io.bucketwright.store.OnNotEmpty;
import io.bucketwright.store.Progress;
import io.bucketwright.store.ProvisionRequest;
import io.bucketwright.store.ProvisionRequest.Naming;
import io.bucketwright.store.Rotating;
import io.bucketwright.store.access.Access;
import io.bucketwright.store.access.BucketName;
import io.bucketwright.store.access.BucketOwner;
import io.bucketwright.store.connection.ProvisionedBucket;
import io.bucketwright.store.errors.StoreException.Taken;
import io.bucketwright.store.errors.StoreException.Unavailable;
import io.bucketwright.store.options.BucketOptions;
import io.bucketwright.store.options.Capability;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** Tests that a call continues after a crash of the process at any request. */
public interface CrashContract extends Contract {

    @Test
    default void provisioningContinuesAfterACrashAtAnyRequest() {
        afterEachCrash(crash -> {
            BucketName bucket = newBucket();
            BucketOwner owner = newOwner();
            Naming naming = subject().createsBucketsWithOwner() ? Naming.GIVEN : Naming.GENERATED;
            ProvisionRequest request = new ProvisionRequest(
                    bucket, naming, owner, Access.readWrite(), BucketOptions.unmanaged(), Set.of());
            crash.accept(store -> store.provision(call(), request));
            ProvisionedBucket made = store().provision(call(), request);
            if (subject().hasObjects()) {
                eventually(() -> application(made).put("key", "text"));
            }
            delete(bucket, owner, OnNotEmpty.PURGE);
            assertThat(subject().bucketExists(bucket)).isFalse();
        });
    }

    /** A claim can be deleted before the next process continues. */
    @Test
    default void deletingAfterACrashOfTheProvisioningLeavesNoBucket() {
        afterEachCrash(crash -> {
            BucketName bucket = newBucket();
            BucketOwner owner = newOwner();
            Naming naming = subject().createsBucketsWithOwner() ? Naming.GIVEN : Naming.GENERATED;
            crash.accept(store -> store.provision(
                    call(),
                    new ProvisionRequest(
                            bucket, naming, owner, Access.readWrite(), BucketOptions.unmanaged(), Set.of())));
            delete(new DeleteRequest(bucket, owner, OnNotEmpty.BLOCK, naming));
            assertThat(subject().bucketExists(bucket)).isFalse();
        });
    }

    @Test
    default void aBucketWithAGivenNameThatACrashLeftWithoutOwnerIsTakenUntilAnAdministratorDeletesIt() {
        assumeFalse(subject().createsBucketsWithOwner(), "a crash leaves no bucket without owner");
        AtomicInteger left = new AtomicInteger();
        afterEachCrash(crash -> {
            BucketName bucket = newBucket();
            ProvisionRequest request = request(bucket, newOwner(), Access.readWrite());
            crash.accept(store -> store.provision(call(), request));
            try {
                store().provision(call(), request);
            } catch (Taken noOwner) {
                left.incrementAndGet();
                subject().deleteBucket(bucket);
                store().provision(call(), request);
            }
            assertThat(subject().bucketExists(bucket)).isTrue();
        });
        assertThat(left).hasPositiveValue();
    }

    @Test
    default void deletingContinuesAfterACrashAtAnyRequest() {
        afterEachCrash(crash -> {
            BucketName bucket = newBucket();
            BucketOwner owner = newOwner();
            ProvisionedBucket made = provision(bucket, owner);
            if (subject().hasObjects()) {
                application(made).put("key", "text");
            }
            crash.accept(store -> {
                Progress progress = new Progress.More(1);
                while (progress instanceof Progress.More) {
                    progress = store.delete(call(), new DeleteRequest(bucket, owner, OnNotEmpty.PURGE));
                }
            });
            delete(bucket, owner, OnNotEmpty.PURGE);
            assertThat(subject().bucketExists(bucket)).isFalse();
        });
    }

    @Test
    default void rotatingContinuesAfterACrashAtAnyRequest() {
        assumeTrue(subject().storeFailingAfter(1).isPresent(), "the store cannot simulate a crash");
        needs(Capability.ROTATE);
        afterEachCrash(crash -> {
            BucketName bucket = newBucket();
            BucketOwner owner = newOwner();
            ProvisionedBucket old = provision(bucket, owner);
            crash.accept(store -> store.grant(call(), rotation(bucket, owner, old)));
            ProvisionedBucket fresh = rotate(bucket, owner, old);
            if (subject().hasObjects()) {
                application(old).put("key", "text");
                eventually(() -> application(fresh).get("key"));
            }
        });
    }

    @Test
    default void retiringContinuesAfterACrashAtAnyRequest() {
        assumeTrue(subject().storeFailingAfter(1).isPresent(), "the store cannot simulate a crash");
        needs(Capability.ROTATE);
        afterEachCrash(crash -> {
            BucketName bucket = newBucket();
            BucketOwner owner = newOwner();
            ProvisionedBucket old = provision(bucket, owner);
            ProvisionedBucket fresh = rotate(bucket, owner, old);
            crash.accept(store -> ((Rotating) store).retire(call(), bucket, owner, Set.of(Contract.keyId(fresh))));
            rotating().retire(call(), bucket, owner, Set.of(Contract.keyId(fresh)));
            if (subject().hasObjects()) {
                refused(() -> application(old).put("key", "text"));
                eventually(() -> application(fresh).put("key", "text"));
            }
        });
    }

    /** Runs a scenario with a crash at the first request, the second, and so on until no crash occurs. */
    private void afterEachCrash(Consumer<Consumer<Consumer<BucketStore>>> scenario) {
        boolean[] crashed = {true};
        for (int request = 1; crashed[0]; request++) {
            Optional<BucketStore> failing = subject().storeFailingAfter(request);
            assumeTrue(failing.isPresent(), "the store cannot simulate a crash");
            scenario.accept(act -> {
                try (BucketStore store = failing.get()) {
                    act.accept(store);
                    crashed[0] = false;
                } catch (Unavailable crash) {
                    crashed[0] = true;
                }
            });
        }
    }
}
