package io.bucketwright.store;

import io.bucketwright.store.access.BucketOwner;
import io.bucketwright.store.access.OwnershipTags;
import java.util.EnumSet;
import java.util.Set;

/** Something that an owner needs and that no longer exists in the store. */
public enum MissingPart {
    /** The bucket does not exist, or one of its name belongs to another account of the store. */
    BUCKET,
    /** The owner's principal. */
    PRINCIPAL,
    /** The principal exists, but not the policy or the statements that give it access. */
    ACCESS,
    /** The principal exists, but not the credentials that applications use. */
    KEY,
    /**
     * The bucket exists, and its ownership tags name another owner. The callers of owners that share a bucket ignore this;
     * to every other owner it shows that the own bucket was deleted, or was given to somebody else.
     */
    OWNERSHIP,
    /** The bucket exists, and somebody removed its ownership tags. The callers of owners that share a bucket ignore this. */
    TAGS;

    /** What these tags of a bucket show. */
    public static Set<MissingPart> of(OwnershipTags tags, BucketOwner owner) {
        if (tags instanceof OwnershipTags.Untagged) {
            return EnumSet.of(TAGS);
        }
        return tags.nameAnother(owner) ? EnumSet.of(OWNERSHIP) : EnumSet.noneOf(MissingPart.class);
    }

    /** What these tags of a bucket show, and what its principal lacks. */
    public static Set<MissingPart> of(OwnershipTags tags, BucketOwner owner, Set<MissingPart> ofPrincipal) {
        Set<MissingPart> missing = of(tags, owner);
        missing.addAll(ofPrincipal);
        return missing;
    }
}
