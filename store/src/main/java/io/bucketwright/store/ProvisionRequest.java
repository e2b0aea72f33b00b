package io.bucketwright.store;

import io.bucketwright.store.access.Access;
import io.bucketwright.store.access.BucketName;
import io.bucketwright.store.access.BucketOwner;
import io.bucketwright.store.access.ClaimIdentity;
import io.bucketwright.store.options.BucketOptions;
import java.util.Set;

/**
 * Creates a bucket and a principal for it.
 *
 * @param bucket the name, which the caller chooses and records before the first call
 * @param naming whether anybody else can have chosen the same name
 * @param owner the owner of the bucket and of the principal
 * @param claim the claim of the owner, recorded in the ownership tags. A bucket that is tagged with the same claim and cluster, and
 *     another uid, belongs to a claim that no longer exists: its owner is replaced
 * @param access what the principal may do
 * @param options the options to set on the bucket
 * @param publishedKeys ids of this principal's credentials that are in a Secret or in a rotation record. All others were
 *     lost in a crash and are deleted
 */
public record ProvisionRequest(
        BucketName bucket,
        Naming naming,
        BucketOwner owner,
        ClaimIdentity claim,
        Access access,
        BucketOptions options,
        Set<String> publishedKeys) {

    /** The origin of a bucket's name. */
    public enum Naming {
        /** From {@link BucketName#generate}, for this owner only: nobody else can have created a bucket of that name. */
        GENERATED,
        /** Chosen by a user: a bucket of that name can belong to anybody. */
        GIVEN
    }

    public ProvisionRequest {
        publishedKeys = Set.copyOf(publishedKeys);
    }

    /** For owners that are no claims. */
    public ProvisionRequest(
            BucketName bucket,
            Naming naming,
            BucketOwner owner,
            Access access,
            BucketOptions options,
            Set<String> publishedKeys) {
        this(bucket, naming, owner, ClaimIdentity.NONE, access, options, publishedKeys);
    }
}
