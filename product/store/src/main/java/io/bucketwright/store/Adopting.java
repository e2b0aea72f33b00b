package io.bucketwright.store;

import io.bucketwright.store.access.BucketName;
import io.bucketwright.store.access.BucketOwner;
import io.bucketwright.store.errors.StoreException.Invalid;
import io.bucketwright.store.errors.StoreException.NotFound;
import io.bucketwright.store.errors.StoreException.Taken;

/** A store whose buckets can outlive their owner and get another one: capabilities RELEASE and ERASE. */
public interface Adopting extends BucketStore {

    /**
     * Empties a bucket and keeps it.
     *
     * @return {@link Progress.More} if it must be called again
     * @throws Taken if the bucket is not tagged with this owner, or its tags do not allow it
     * @throws NotFound if the bucket does not exist
     */
    Progress erase(StoreCall call, BucketName bucket, BucketOwner owner);

    /**
     * Replaces the owner's tag by one that records the release and the namespace of the claim, so that another owner can
     * adopt the bucket. Succeeds if the bucket no longer exists.
     *
     * @throws Taken if the bucket is tagged with another owner
     */
    void release(StoreCall call, BucketName bucket, BucketOwner owner);

    /**
     * Tags a bucket as adopted by the owner. {@link #delete} and {@link #erase} never accept an adopted bucket;
     * {@link #release} releases it for the next owner. If several owners adopt a bucket at the same time, only one succeeds.
     *
     * @throws Taken if the bucket is tagged with another owner, was released by a claim of another namespace, or has no tag,
     *     and the request does not allow that
     * @throws Invalid if the bucket is open to others and the request does not allow to close it
     * @throws NotFound if the bucket does not exist
     */
    void adopt(StoreCall call, AdoptRequest request);

    /**
     * Replaces the cluster id and the namespace uid in the ownership tags of a bucket, so that the claim of the same namespace
     * and name, or the owner of the same uid, in the new cluster gets it, and deletes the principal of the former owner. Only
     * an administrator may request this: the store cannot know whether the former cluster still exists.
     *
     * @throws Taken if the bucket is not tagged with that cluster and claim or uid
     * @throws NotFound if the bucket does not exist
     */
    void transfer(StoreCall call, TransferRequest request);
}
