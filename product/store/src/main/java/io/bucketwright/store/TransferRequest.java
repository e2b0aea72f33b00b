package io.bucketwright.store;

import io.bucketwright.store.access.BucketName;
import io.bucketwright.store.access.BucketOwner;
import io.bucketwright.store.access.ClaimIdentity;

/**
 * Transfers a bucket from a cluster that no longer exists to another one, or in one cluster from a namespace that no longer
 * exists to the one that was restored. The ownership tags must name the same claim, or
 * the same uid: a uid that a backup kept proves as much as the names of a claim.
 *
 * @param fromCluster the cluster id in the bucket's ownership tags
 * @param toCluster the cluster id that replaces it
 * @param claim the claim in the ownership tags, by namespace and name. Its namespace uid replaces that in the tags; {@link ClaimIdentity#NONE} if the uid decides
 * @param ownerUid the uid in the ownership tags; empty if the names of the claim decide
 */
public record TransferRequest(
        BucketName bucket, String fromCluster, String toCluster, ClaimIdentity claim, String ownerUid) {

    /** For a claim that was restored with another uid. */
    public static TransferRequest ofClaim(
            BucketName bucket, String fromCluster, String toCluster, ClaimIdentity claim) {
        return new TransferRequest(bucket, fromCluster, toCluster, claim, "");
    }

    /** For an owner whose uid a backup kept; the cluster of the owner is the new one. */
    public static TransferRequest ofOwner(BucketName bucket, String fromCluster, BucketOwner owner) {
        return new TransferRequest(bucket, fromCluster, owner.clusterId(), ClaimIdentity.NONE, owner.uid());
    }

    /** Whether a bucket with these ownership tags is the requested one. */
    public boolean matches(BucketOwner owner, ClaimIdentity owningClaim) {
        return ownerUid.isEmpty() ? owningClaim.hasSameNames(claim) : ownerUid.equals(owner.uid());
    }
}
