package io.bucketwright.store;

/** Something that an owner needs and that no longer exists in the store. */
public enum MissingPart {
    /** The bucket does not exist, or one of its name belongs to another account of the store. */
    BUCKET,
    /** The owner's principal. */
    PRINCIPAL,
    /** The principal exists, but not the policy or the statements that give it access. */
    ACCESS
}
