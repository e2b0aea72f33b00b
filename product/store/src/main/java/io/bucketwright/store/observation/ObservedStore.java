package io.bucketwright.store.observation;

import io.bucketwright.store.AdoptRequest;
import io.bucketwright.store.BucketPage;
import io.bucketwright.store.BucketStore;
import io.bucketwright.store.DeleteRequest;
import io.bucketwright.store.GrantRequest;
import io.bucketwright.store.ListedBucket;
import io.bucketwright.store.MissingPart;
import io.bucketwright.store.Progress;
import io.bucketwright.store.ProvisionRequest;
import io.bucketwright.store.StoreCall;
import io.bucketwright.store.TransferRequest;
import io.bucketwright.store.UpdateRequest;
import io.bucketwright.store.Usage;
import io.bucketwright.store.access.BucketName;
import io.bucketwright.store.access.BucketOwner;
import io.bucketwright.store.connection.ProvisionedBucket;
import io.bucketwright.store.errors.StoreException;
import io.bucketwright.store.options.Capability;
import io.bucketwright.store.parameters.ParameterSchema;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;

/**
 * A store whose calls are reported to an observer, each of them once. Behaves as the store itself does.
 *
 * @param kind the kind of store, such as {@code s3}
 */
public record ObservedStore(String kind, BucketStore store, StoreObserver observer) implements BucketStore {

    @Override
    public ProvisionedBucket provision(StoreCall call, ProvisionRequest request) {
        return observe(StoreOperation.PROVISION, call, () -> store.provision(call, request));
    }

    @Override
    public ProvisionedBucket grant(StoreCall call, GrantRequest request) {
        return observe(StoreOperation.GRANT, call, () -> store.grant(call, request));
    }

    @Override
    public Progress delete(StoreCall call, DeleteRequest request) {
        return observe(StoreOperation.DELETE, call, () -> store.delete(call, request));
    }

    @Override
    public void revoke(StoreCall call, BucketName bucket, BucketOwner owner, Set<String> keys) {
        run(StoreOperation.REVOKE, call, () -> store.revoke(call, bucket, owner, keys));
    }

    @Override
    public void check(StoreCall call, BucketName bucket, BucketOwner owner) {
        run(StoreOperation.CHECK, call, () -> store.check(call, bucket, owner));
    }

    @Override
    public Set<Capability> capabilities() {
        return store.capabilities();
    }

    @Override
    public Duration accessEndsWithin() {
        return store.accessEndsWithin();
    }

    @Override
    public ParameterSchema claimOptions() {
        return store.claimOptions();
    }

    @Override
    public boolean offersTls() {
        return store.offersTls();
    }

    @Override
    public void retire(StoreCall call, BucketName bucket, BucketOwner owner, Set<String> keptKeys) {
        run(StoreOperation.RETIRE, call, () -> store.retire(call, bucket, owner, keptKeys));
    }

    @Override
    public Progress erase(StoreCall call, BucketName bucket, BucketOwner owner) {
        return observe(StoreOperation.ERASE, call, () -> store.erase(call, bucket, owner));
    }

    @Override
    public void suspend(StoreCall call, BucketName bucket, BucketOwner owner) {
        run(StoreOperation.SUSPEND, call, () -> store.suspend(call, bucket, owner));
    }

    @Override
    public void unsuspend(StoreCall call, BucketName bucket, BucketOwner owner) {
        run(StoreOperation.UNSUSPEND, call, () -> store.unsuspend(call, bucket, owner));
    }

    @Override
    public void update(StoreCall call, UpdateRequest request) {
        run(StoreOperation.UPDATE, call, () -> store.update(call, request));
    }

    @Override
    public Usage usage(StoreCall call, BucketName bucket) {
        return observe(StoreOperation.USAGE, call, () -> store.usage(call, bucket));
    }

    @Override
    public void release(StoreCall call, BucketName bucket, BucketOwner owner) {
        run(StoreOperation.RELEASE, call, () -> store.release(call, bucket, owner));
    }

    @Override
    public void adopt(StoreCall call, AdoptRequest request) {
        run(StoreOperation.ADOPT, call, () -> store.adopt(call, request));
    }

    @Override
    public void transfer(StoreCall call, TransferRequest request) {
        run(StoreOperation.TRANSFER, call, () -> store.transfer(call, request));
    }

    @Override
    public void checkCluster(StoreCall call, BucketName bucket, BucketOwner owner) {
        run(StoreOperation.CHECK_CLUSTER, call, () -> store.checkCluster(call, bucket, owner));
    }

    @Override
    public BucketPage listBuckets(StoreCall call, String from) {
        return observe(StoreOperation.LIST_BUCKETS, call, () -> store.listBuckets(call, from));
    }

    @Override
    public Optional<ListedBucket> findBucket(StoreCall call, BucketName bucket) {
        return observe(StoreOperation.FIND_BUCKET, call, () -> store.findBucket(call, bucket));
    }

    @Override
    public Set<MissingPart> verify(StoreCall call, BucketName bucket, BucketOwner owner) {
        return observe(StoreOperation.VERIFY, call, () -> store.verify(call, bucket, owner));
    }

    @Override
    public void close() {
        store.close();
    }

    private void run(StoreOperation operation, StoreCall call, Runnable act) {
        boolean _ = observe(operation, call, () -> {
            act.run();
            return true;
        });
    }

    private <R> R observe(StoreOperation operation, StoreCall call, Supplier<R> act) {
        long start = System.nanoTime();
        StoreResult result = StoreResult.UNEXPECTED;
        try {
            R answer = act.get();
            result = StoreResult.OK;
            return answer;
        } catch (StoreException e) {
            result = call.cancelled() ? StoreResult.CANCELLED : StoreResult.of(e);
            throw e;
        } finally {
            observer.called(kind, operation, result, Duration.ofNanos(System.nanoTime() - start));
        }
    }
}
