package io.bucketwright.store.s3.ceph;

import io.bucketwright.store.access.BucketOwner;

/** The owner of a user, in its display name: the gateway has no tags for users. */
final class OwnerName {

    private static final String PREFIX = "bucketwright.io ";

    private OwnerName() {}

    static String of(BucketOwner owner) {
        return PREFIX + owner;
    }

    /** Whether a display name was made by {@link #of}. */
    static boolean isOne(String displayName) {
        return displayName.startsWith(PREFIX);
    }
}
