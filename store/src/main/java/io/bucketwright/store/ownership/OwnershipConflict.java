package io.bucketwright.store.ownership;

import io.bucketwright.store.access.BucketName;
import io.bucketwright.store.access.BucketOwner;
import io.bucketwright.store.access.OwnershipTags;
import io.bucketwright.store.errors.StoreException.Taken;

/** Why an owner cannot have a bucket that exists, in words for the owner of a claim. */
public final class OwnershipConflict {

    private OwnershipConflict() {}

    /**
     * Checks that the tags name this owner.
     *
     * @throws Taken if they name another one, or none
     */
    public static void requireOwned(BucketName bucket, OwnershipTags tags, BucketOwner owner) {
        if (!tags.isOwnedBy(owner)) {
            throw taken(bucket, tags, owner);
        }
    }

    /**
     * Checks that the bucket does not belong to the same owner in another cluster.
     *
     * @throws Taken if it does
     */
    public static void checkCluster(BucketName bucket, OwnershipTags tags, BucketOwner owner) {
        if (isElsewhere(tags, owner)) {
            throw elsewhere(bucket);
        }
    }

    /** The bucket has these tags, and this owner wants it. */
    public static Taken taken(BucketName bucket, OwnershipTags tags, BucketOwner wanted) {
        return isElsewhere(tags, wanted) ? elsewhere(bucket) : taken(bucket, tags);
    }

    /** The bucket has these tags. */
    public static Taken taken(BucketName bucket, OwnershipTags tags) {
        String reason = switch (tags) {
            case OwnershipTags.Untagged _ -> "has no ownership tag of Bucketwright";
            case OwnershipTags.Owned _ -> "belongs to another claim";
            case OwnershipTags.Released _ ->
                "was released by its claim; only a class that adopts it for that namespace can use it again";
            case OwnershipTags.Adopted _ -> "was adopted by a claim";
            case OwnershipTags.Unreadable _ -> "has ownership tags that this version cannot read";
        };
        return new Taken("The bucket " + bucket + " already exists and " + reason + ".");
    }

    /** The bucket belongs to this owner of another cluster: a backup of that cluster was restored in this one. */
    static Taken elsewhere(BucketName bucket) {
        return new Taken("The bucket " + bucket
                + " belongs to another cluster. If that cluster no longer uses it, an administrator can transfer it to this"
                + " one, see docs/backup-and-restore.md.");
    }

    private static boolean isElsewhere(OwnershipTags tags, BucketOwner wanted) {
        return tags.currentOwner()
                .filter(owner -> owner.isSameInAnotherCluster(wanted))
                .isPresent();
    }
}
