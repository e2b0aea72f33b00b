package io.bucketwright.store.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.bucketwright.store.BucketStore;
import io.bucketwright.store.DeleteRequest;
import io.bucketwright.store.OnNotEmpty;
import io.bucketwright.store.Progress;
import io.bucketwright.store.RotateRequest;
import io.bucketwright.store.access.Access;
import io.bucketwright.store.access.BucketName;
import io.bucketwright.store.access.BucketOwner;
import io.bucketwright.store.connection.ProvisionedBucket;
import io.bucketwright.store.errors.StoreException.Unavailable;
import io.bucketwright.store.options.Capability;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** Tests that a call continues after a crash of the process at any request. */
public interface CrashContract extends Contract {

    @Test
    default void provisioningContinuesAfterACrashAtAnyRequest() {
        afterEachCrash(crash -> {
            BucketName bucket = newBucket();
            BucketOwner owner = newOwner();
            crash.accept(store -> store.provision(call(), request(bucket, owner, Access.readWrite())));
            ProvisionedBucket made = provision(bucket, owner);
            if (subject().hasObjects()) {
                eventually(() -> application(made).put("key", "text"));
            }
            delete(bucket, owner, OnNotEmpty.PURGE);
            assertThat(subject().bucketExists(bucket)).isFalse();
        });
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
        needs(Capability.ROTATE);
        afterEachCrash(crash -> {
            BucketName bucket = newBucket();
            BucketOwner owner = newOwner();
            ProvisionedBucket old = provision(bucket, owner);
            RotateRequest request = new RotateRequest(
                    bucket, owner, Set.of(old.credentials().keyId().orElseThrow()));
            crash.accept(store -> store.rotate(call(), request));
            ProvisionedBucket fresh = new ProvisionedBucket(old.connection(), store().rotate(call(), request));
            if (subject().hasObjects()) {
                application(old).put("key", "text");
                eventually(() -> application(fresh).get("key"));
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
