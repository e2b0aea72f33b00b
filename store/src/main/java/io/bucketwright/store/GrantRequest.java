package io.bucketwright.store;

import io.bucketwright.store.access.Access;

import io.bucketwright.store.access.BucketOwner;

import io.bucketwright.store.access.BucketName;

import java.util.Set;

/**
 * A principal for a bucket that is there already, whoever made it; the class's author vouches for that.
 *
 * @param owner whom the principal is for; not the bucket's mark, which stays as it is
 * @param publishedKeys as in {@link ProvisionRequest}
 */
public record GrantRequest(BucketName bucket, BucketOwner owner, Access access, Set<String> publishedKeys) {

    public GrantRequest {
        publishedKeys = Set.copyOf(publishedKeys);
    }
}
