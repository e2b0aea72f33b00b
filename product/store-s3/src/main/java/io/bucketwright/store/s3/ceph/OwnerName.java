package io.bucketwright.store.s3.ceph;

import io.bucketwright.store.access.BucketOwner;
import java.util.Optional;

/** The owner of a user, in its display name: the gateway has no tags for users. */
final class OwnerName {

    private static final String PREFIX = "bucketwright.io ";

    private OwnerName() {}

    static String of(BucketOwner owner) {
        return PREFIX + owner;
    }

    /** Whether a display name looks as if {@link #of} made it. */
    static boolean isOne(String displayName) {
        return displayName.startsWith(PREFIX);
    }

    /** The owner in a display name; empty if {@link #of} did not make it. */
    static Optional<BucketOwner> read(String displayName) {
        return isOne(displayName) ? BucketOwner.parse(displayName.substring(PREFIX.length())) : Optional.empty();
    }
}
