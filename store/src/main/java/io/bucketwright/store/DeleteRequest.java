package io.bucketwright.store;

import io.bucketwright.store.ProvisionRequest.Naming;
import io.bucketwright.store.access.BucketName;
import io.bucketwright.store.access.BucketOwner;

/**
 * Deletes a provisioned bucket and its principal.
 *
 * @param owner must equal the owner that the bucket is tagged with
 * @param naming who chose the name. A bucket without tags and objects whose name was generated is deleted too: a process
 *     crashed after it created the bucket and before it tagged it
 */
public record DeleteRequest(BucketName bucket, BucketOwner owner, OnNotEmpty onNotEmpty, Naming naming) {

    /** Deletes a bucket whose name somebody chose. */
    public DeleteRequest(BucketName bucket, BucketOwner owner, OnNotEmpty onNotEmpty) {
        this(bucket, owner, onNotEmpty, Naming.GIVEN);
    }
}
