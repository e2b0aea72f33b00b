package io.bucketwright.store;

/**
 * A bucket to take over that was not made for this owner.
 *
 * @param unmarked whether also one that bears no mark at all may be taken, on the administrator's word; otherwise only
 *     one that was released
 */
public record AdoptRequest(BucketName bucket, BucketOwner owner, boolean unmarked) {}
