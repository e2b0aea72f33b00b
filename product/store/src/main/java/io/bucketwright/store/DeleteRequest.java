package io.bucketwright.store;

import io.bucketwright.store.ProvisionRequest.Naming;
import io.bucketwright.store.access.BucketName;
import io.bucketwright.store.access.BucketOwner;
import java.util.Set;

/**
 * Deletes a provisioned bucket and its principal.
 *
 * @param owner must equal the owner that the bucket is tagged with
 * @param naming who chose the name. A bucket without tags and objects whose name was generated is deleted too: a process
 *     crashed after it created the bucket and before it tagged it
 * @param last false if the store may still create the bucket, because it did not confirm an earlier request. Another deletion
 *     follows then, and what it needs to delete such a bucket must stay
 * @param keys ids of the credentials that were published for this owner, as in {@link BucketStore#revoke}
 */
public record DeleteRequest(
        BucketName bucket, BucketOwner owner, OnNotEmpty onNotEmpty, Naming naming, boolean last, Set<String> keys) {

    public DeleteRequest {
        keys = Set.copyOf(keys);
    }

    /** Deletes a bucket of an owner whose credentials are not known. */
    public DeleteRequest(BucketName bucket, BucketOwner owner, OnNotEmpty onNotEmpty, Naming naming, boolean last) {
        this(bucket, owner, onNotEmpty, naming, last, Set.of());
    }

    /** Deletes a bucket after all requests for it were confirmed. */
    public DeleteRequest(BucketName bucket, BucketOwner owner, OnNotEmpty onNotEmpty, Naming naming) {
        this(bucket, owner, onNotEmpty, naming, true);
    }

    /** Deletes a bucket whose name somebody chose. */
    public DeleteRequest(BucketName bucket, BucketOwner owner, OnNotEmpty onNotEmpty) {
        this(bucket, owner, onNotEmpty, Naming.GIVEN);
    }
}
