package io.bucketwright.store.s3.ceph;

import io.bucketwright.store.access.BucketOwner;

/** The owner of a user, in its display name: the gateway has no tags for users. */
final class OwnerName {

    private OwnerName() {}

    static String of(BucketOwner owner) {
        return "bucketwright.io " + owner;
    }
}
