package io.bucketwright.store;

import io.bucketwright.store.options.BucketOptions;

import io.bucketwright.store.access.Access;

import io.bucketwright.store.access.BucketOwner;

import io.bucketwright.store.access.BucketName;

import java.util.Set;

/**
 * A new bucket, and a principal for it.
 *
 * @param bucket chosen by the caller, and written down, before the first call
 * @param naming whether anybody else could have chosen the same name
 * @param owner the mark of the bucket, and whom the principal is for
 * @param access what the principal may do
 * @param options what to set on the bucket
 * @param publishedKeys ids of credentials of this principal that stand in a Secret or a rotation record: all others
 *     were lost on the way, and are deleted
 */
public record ProvisionRequest(
        BucketName bucket,
        Naming naming,
        BucketOwner owner,
        Access access,
        BucketOptions options,
        Set<String> publishedKeys) {

    /** Where the name comes from. */
    public enum Naming {
        /** From {@link BucketName#generate}, for this owner alone: who finds such a bucket in the store has made it. */
        GENERATED,
        /** A person chose it: a bucket of that name may be anybody's. */
        GIVEN
    }

    public ProvisionRequest {
        publishedKeys = Set.copyOf(publishedKeys);
    }
}
