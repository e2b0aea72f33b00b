package io.bucketwright.store;

import io.bucketwright.store.access.Access;
import io.bucketwright.store.access.BucketName;
import io.bucketwright.store.access.BucketOwner;
import io.bucketwright.store.access.ClaimIdentity;
import io.bucketwright.store.access.NewBucketName;
import io.bucketwright.store.access.OwnershipTags;
import io.bucketwright.store.access.Reclaim;
import io.bucketwright.store.options.BucketOptions;
import io.bucketwright.store.parameters.Parameters;
import java.util.Map;
import java.util.Set;

/**
 * Creates a bucket and a principal for it.
 *
 * @param bucket the name, which the caller chooses and records before the first call
 * @param naming whether anybody else can have chosen the same name
 * @param owner the owner of the bucket and of the principal
 * @param claim the claim of the owner, recorded in the ownership tags. A bucket that is tagged with the same claim, namespace
 *     and cluster, and another uid, belongs to a claim that no longer exists: its owner is replaced, unless it may have been
 *     suspended
 * @param reclaim what may happen to the bucket when its owner releases it, recorded in the ownership tags
 * @param access what the principal may do
 * @param options the options to set on the bucket
 * @param storeOptions what the claim sets of {@link BucketStore#claimOptions}
 * @param publishedKeys ids of this principal's credentials that are in a Secret or in a rotation record. All others were
 *     lost in a crash and are deleted
 */
public record ProvisionRequest(
        BucketName bucket,
        Naming naming,
        BucketOwner owner,
        ClaimIdentity claim,
        Reclaim reclaim,
        Access access,
        BucketOptions options,
        Parameters storeOptions,
        Set<String> publishedKeys) {

    /** The origin of a bucket's name. */
    public enum Naming {
        /** From {@link BucketName#generate}, for this owner only: nobody else can have created a bucket of that name. */
        GENERATED,
        /** Chosen by a user: a bucket of that name can belong to anybody. */
        GIVEN
    }

    /**
     * Checks the value.
     *
     * @throws io.bucketwright.store.errors.StoreException.Invalid if a new bucket must not have that name
     */
    public ProvisionRequest {
        bucket = new NewBucketName(bucket).name();
        publishedKeys = Set.copyOf(publishedKeys);
    }

    /** The tags of a bucket that is created for this request. */
    public OwnershipTags ownership() {
        return new OwnershipTags.Owned(owner, claim, reclaim);
    }

    /** For stores that declare no options of their own. */
    public ProvisionRequest(
            BucketName bucket,
            Naming naming,
            BucketOwner owner,
            ClaimIdentity claim,
            Reclaim reclaim,
            Access access,
            BucketOptions options,
            Set<String> publishedKeys) {
        this(bucket, naming, owner, claim, reclaim, access, options, new Parameters(Map.of()), publishedKeys);
    }

    /** For owners that are no claims. */
    public ProvisionRequest(
            BucketName bucket,
            Naming naming,
            BucketOwner owner,
            Access access,
            BucketOptions options,
            Set<String> publishedKeys) {
        this(bucket, naming, owner, ClaimIdentity.NONE, Reclaim.UNKNOWN, access, options, publishedKeys);
    }
}
