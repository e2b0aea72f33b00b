package io.bucketwright.store.s3.identity;

import io.bucketwright.store.StoreCall;
import io.bucketwright.store.access.BucketName;
import java.util.Optional;

/**
 * The policies of buckets, as options and administrators write them. Where a store restricts principals by bucket policies,
 * the statements for that are not part of them: they are neither found here nor lost when a policy is replaced.
 */
public interface PolicyDocuments {

    /** The policy as JSON; empty if the bucket has none. */
    Optional<String> find(StoreCall call, BucketName bucket);

    /** Replaces the policy. */
    void put(StoreCall call, BucketName bucket, String json);

    void delete(StoreCall call, BucketName bucket);
}
