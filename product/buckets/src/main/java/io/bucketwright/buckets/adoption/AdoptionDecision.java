package io.bucketwright.buckets.adoption;

import io.bucketwright.store.access.BucketName;
import io.bucketwright.store.access.BucketOwner;
import io.bucketwright.store.access.ClaimIdentity;
import io.bucketwright.store.access.OwnershipTags;
import java.util.Optional;
import java.util.function.Predicate;

/** What to do about the owner in the tags of a bucket that a claim wants to adopt. */
sealed interface AdoptionDecision {

    /** No other claim owns the bucket, or the store itself recognizes the owner. The store decides whether it can be adopted. */
    record NothingToRelease() implements AdoptionDecision {}

    /** The claim may adopt the bucket if the former owner no longer exists. */
    record ProveAbsence(BucketOwner former, ClaimIdentity formerClaim) implements AdoptionDecision {}

    /** The claim does not get the bucket, whether the former owner exists or not. */
    record Refuse(String message) implements AdoptionDecision {}

    /**
     * Decides from the tags.
     *
     * @param owner the claim that wants the bucket
     * @param claim the same claim by names
     * @param anyNamespace whether the class allows buckets of claims of other namespaces
     * @param visible the namespaces whose claims this process sees
     */
    static AdoptionDecision of(
            BucketName bucket,
            OwnershipTags tags,
            BucketOwner owner,
            ClaimIdentity claim,
            boolean anyNamespace,
            Predicate<String> visible) {
        Optional<BucketOwner> current = tags.currentOwner();
        if (current.isEmpty()
                || current.get().equals(owner)
                || tags.formerOwner(owner, claim).isPresent()) {
            return new NothingToRelease();
        }
        BucketOwner former = current.get();
        ClaimIdentity formerClaim = tags.claimOrNone();
        if (!former.clusterId().equals(owner.clusterId())) {
            return refuse(
                    bucket,
                    "belongs to another cluster, which may exist. If that cluster is lost, an administrator adopts the"
                            + " bucket with `bucketwright claim adopt --from-cluster`.");
        }
        if (!formerClaim.isKnown()) {
            return refuse(
                    bucket,
                    "has an owner, and its tags name no ObjectBucketClaim. An administrator finds out who uses it with"
                            + " `bucketwright bucket list`.");
        }
        if (!anyNamespace && !formerClaim.isSameNamespace(claim)) {
            return refuse(
                    bucket,
                    "belongs to a claim of another namespace, or of a former namespace of the same name. An administrator"
                            + " can allow it by a class with adoptFrom: AnyNamespace.");
        }
        if (!visible.test(formerClaim.namespace())) {
            return refuse(
                    bucket,
                    "has an owner in a namespace that this controller does not serve: it cannot prove that the owner no"
                            + " longer exists. An administrator adopts the bucket with `bucketwright claim adopt --orphaned`.");
        }
        return new ProveAbsence(former, formerClaim);
    }

    private static Refuse refuse(BucketName bucket, String why) {
        return new Refuse("The bucket " + bucket + " " + why);
    }
}
