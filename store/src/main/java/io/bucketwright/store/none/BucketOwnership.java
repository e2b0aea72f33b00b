package io.bucketwright.store.none;

import io.bucketwright.store.access.BucketOwner;
import io.bucketwright.store.access.ClaimIdentity;
import io.bucketwright.store.access.OwnershipTags;
import java.util.Optional;

/** The owner of a bucket. */
sealed interface BucketOwnership {
    /** Exists without an owner. */
    record Untagged() implements BucketOwnership {}

    record Owned(BucketOwner owner, ClaimIdentity claim) implements BucketOwnership {}

    record Released(BucketOwner owner, ClaimIdentity claim) implements BucketOwnership {}

    record Adopted(BucketOwner owner, ClaimIdentity claim) implements BucketOwnership {}

    default boolean isOwnedBy(BucketOwner other) {
        return this instanceof Owned(BucketOwner owner, ClaimIdentity _) && owner.equals(other);
    }

    default boolean isReleasedBy(BucketOwner other) {
        return this instanceof Released(BucketOwner owner, ClaimIdentity _) && owner.equals(other);
    }

    default boolean isAdoptedBy(BucketOwner other) {
        return this instanceof Adopted(BucketOwner owner, ClaimIdentity _) && owner.equals(other);
    }

    /** The same, as other stores record it. */
    default OwnershipTags toTags() {
        return switch (this) {
            case Untagged _ -> new OwnershipTags.Untagged();
            case Owned owned -> new OwnershipTags.Owned(owned.owner(), owned.claim());
            case Released released -> new OwnershipTags.Released(released.owner(), released.claim());
            case Adopted adopted -> new OwnershipTags.Adopted(adopted.owner(), adopted.claim());
        };
    }

    /** The current owner. */
    default Optional<BucketOwner> currentOwner() {
        return switch (this) {
            case Owned owned -> Optional.of(owned.owner());
            case Adopted adopted -> Optional.of(adopted.owner());
            case Untagged _, Released _ -> Optional.empty();
        };
    }

    /** The claim behind the owner; unknown if there is none. */
    default ClaimIdentity claimOrNone() {
        return switch (this) {
            case Untagged _ -> ClaimIdentity.NONE;
            case Owned owned -> owned.claim();
            case Released released -> released.claim();
            case Adopted adopted -> adopted.claim();
        };
    }

    /** The former owner, if this bucket belongs to a claim of the same cluster and names that was created again. */
    default Optional<BucketOwner> formerOwner(BucketOwner next, ClaimIdentity claim) {
        return currentOwner()
                .filter(former -> former.clusterId().equals(next.clusterId()))
                .filter(former -> !former.equals(next))
                .filter(_ -> claimOrNone().isSameClaim(claim));
    }
}
