package io.bucketwright.cosi.sidecar.released;

import io.bucketwright.api.objectstorage.BucketClaim;
import io.bucketwright.api.objectstorage.ReleasedBucket;
import io.bucketwright.api.objectstorage.ReleasedBucketAccess;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ObjectReference;
import org.jspecify.annotations.Nullable;

/**
 * A BucketClaim as another object names it.
 *
 * @param uid empty in a BucketAccess, which names any claim of that name
 */
record ClaimReference(String namespace, String name, String uid) {

    static ClaimReference of(ReleasedBucket bucket) {
        ObjectReference reference = bucket.spec().bucketClaim();
        return new ClaimReference(text(reference.getNamespace()), text(reference.getName()), text(reference.getUid()));
    }

    static ClaimReference of(ReleasedBucketAccess access) {
        return new ClaimReference(
                access.getMetadata().getNamespace(), access.spec().bucketClaimName(), "");
    }

    static ClaimReference of(BucketClaim claim) {
        return new ClaimReference(
                claim.getMetadata().getNamespace(),
                claim.getMetadata().getName(),
                claim.getMetadata().getUid());
    }

    /** Whether it names no claim, as in a Bucket that an administrator created. */
    boolean isEmpty() {
        return name.isEmpty();
    }

    /** Whether it names this very claim. */
    boolean names(HasMetadata claim) {
        return uid.equals(claim.getMetadata().getUid())
                && name.equals(claim.getMetadata().getName())
                && namespace.equals(claim.getMetadata().getNamespace());
    }

    /** Namespace and name; no namespace contains a slash. */
    String place() {
        return namespace + "/" + name;
    }

    private static String text(@Nullable String value) {
        return value == null ? "" : value;
    }
}
