package io.bucketwright.cosi.controller.claims;

import io.bucketwright.api.objectstorage.BucketClaim;
import io.bucketwright.api.objectstorage.ReleasedBucket;
import io.fabric8.kubernetes.api.model.ObjectReference;
import java.util.Optional;

/**
 * What {@code spec.bucketClaim} of a Bucket says about a claim. Only administrators and the controller write it, so it is what
 * decides who gets a bucket. A reference without uid reserves the Bucket, as for a PersistentVolume; one without a name
 * reserves it for all claims of a namespace.
 */
enum BucketReservation {
    /** It has the uid of the claim. */
    BOUND,
    /** It names the claim, or only its namespace. */
    RESERVED,
    /** It names a claim of the same name that was deleted. */
    FORMER,
    /** The same, and it was restored from a backup, perhaps with this claim. */
    RESTORED,
    /** It names another claim or another namespace. */
    FOREIGN,
    /** It names nobody. */
    NONE;

    static BucketReservation of(ReleasedBucket bucket, BucketClaim claim) {
        ObjectReference reference = bucket.spec().bucketClaim();
        String uid = text(reference.getUid());
        String namespace = text(reference.getNamespace());
        String name = text(reference.getName());
        if (!uid.isEmpty() && uid.equals(claim.getMetadata().getUid())) {
            return BOUND;
        }
        if (namespace.isEmpty() && name.isEmpty() && uid.isEmpty()) {
            return NONE;
        }
        if (!namespace.equals(claim.getMetadata().getNamespace())) {
            return FOREIGN;
        }
        if (name.equals(claim.getMetadata().getName())) {
            return uid.isEmpty() ? RESERVED : former(bucket);
        }
        return name.isEmpty() && uid.isEmpty() ? RESERVED : FOREIGN;
    }

    /** What an administrator has confirmed stays confirmed until the claim is bound. */
    private static BucketReservation former(ReleasedBucket bucket) {
        return bucket.isRestored() || bucket.isConfirmed() ? RESTORED : FORMER;
    }

    static String text(String value) {
        return Optional.ofNullable(value).orElse("");
    }
}
