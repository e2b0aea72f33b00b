package io.bucketwright.app.claim;

import io.bucketwright.store.AdoptRequest;
import io.bucketwright.store.Adopting;
import io.bucketwright.store.BucketPage;
import io.bucketwright.store.DeleteRequest;
import io.bucketwright.store.GrantRequest;
import io.bucketwright.store.Listing;
import io.bucketwright.store.Progress;
import io.bucketwright.store.ProvisionRequest;
import io.bucketwright.store.StoreCall;
import io.bucketwright.store.TransferRequest;
import io.bucketwright.store.access.BucketName;
import io.bucketwright.store.access.BucketOwner;
import io.bucketwright.store.connection.ProvisionedBucket;
import java.util.Set;

/** A store that can do nothing, for tests that override what they need. */
abstract class StubStore implements Adopting, Listing {

    @Override
    public ProvisionedBucket provision(StoreCall call, ProvisionRequest request) {
        throw new UnsupportedOperationException();
    }

    @Override
    public ProvisionedBucket grant(StoreCall call, GrantRequest request) {
        throw new UnsupportedOperationException();
    }

    @Override
    public Progress delete(StoreCall call, DeleteRequest request) {
        throw new UnsupportedOperationException();
    }

    @Override
    public void revoke(StoreCall call, BucketName bucket, BucketOwner owner, Set<String> keys) {
        throw new UnsupportedOperationException();
    }

    @Override
    public void adopt(StoreCall call, AdoptRequest request) {
        throw new UnsupportedOperationException();
    }

    @Override
    public void release(StoreCall call, BucketName bucket, BucketOwner owner) {
        throw new UnsupportedOperationException();
    }

    @Override
    public void transfer(StoreCall call, TransferRequest request) {
        throw new UnsupportedOperationException();
    }

    @Override
    public Progress erase(StoreCall call, BucketName bucket, BucketOwner owner) {
        throw new UnsupportedOperationException();
    }

    @Override
    public BucketPage listBuckets(StoreCall call, String from) {
        throw new UnsupportedOperationException();
    }
}
