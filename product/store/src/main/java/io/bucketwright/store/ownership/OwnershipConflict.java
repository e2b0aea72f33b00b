package io.bucketwright.store.ownership;

import io.bucketwright.store.access.BucketName;
import io.bucketwright.store.access.BucketOwner;
import io.bucketwright.store.access.ClaimIdentity;
import io.bucketwright.store.access.OwnershipTags;
import io.bucketwright.store.access.Reclaim;
import io.bucketwright.store.errors.StoreException.Taken;
import java.util.Optional;

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

    /**
     * Checks that this owner may delete or erase its bucket.
     *
     * @throws Taken if the tags name another owner, or none, or the owner took over a bucket that must be kept
     */
    public static void requireReclaimable(BucketName bucket, OwnershipTags tags, BucketOwner owner, Reclaim wanted) {
        if (!tags.isReclaimableBy(owner, wanted)) {
            throw notReclaimable(bucket, tags, owner);
        }
    }

    /** This owner may not delete or erase the bucket with these tags. */
    public static Taken notReclaimable(BucketName bucket, OwnershipTags tags, BucketOwner owner) {
        return tags instanceof OwnershipTags.Owned owned && owned.owner().equals(owner)
                ? new Taken("The bucket " + bucket + " belonged to an earlier claim with the reclaim policy "
                        + owned.reclaim().text() + ", which still applies, so that it is kept.")
                : taken(bucket, tags, owner);
    }

    /** The bucket has these tags, and this owner, a claim of the same names, needs an administrator to get it. */
    static Optional<Taken> ofNamesake(BucketName bucket, OwnershipTags tags, BucketOwner wanted, ClaimIdentity claim) {
        boolean sameNamespace = tags.claimOrNone().isSameNamespace(claim);
        return tags.namesakeOwner(wanted, claim)
                .filter(_ -> !sameNamespace || tags instanceof OwnershipTags.Owned)
                .map(_ -> new Taken("The bucket " + bucket + " belongs to a "
                        + (sameNamespace
                                ? "former claim of this name, which may have been suspended"
                                : "claim in a former namespace of this name")
                        + ". If this claim may have it, for example after a restore, an administrator runs `bucketwright"
                        + " claim transfer --from-cluster this`, see docs/backup-and-restore.md."));
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
