package io.bucketwright.store;

import io.bucketwright.store.access.Access;
import io.bucketwright.store.access.BucketName;
import io.bucketwright.store.access.BucketOwner;
import io.bucketwright.store.access.ClaimIdentity;
import java.util.Set;

/**
 * Creates a principal for an existing bucket, whoever created it. The administrator allows this by the class.
 *
 * @param owner the owner of the principal; the bucket's ownership tags are not checked and not changed
 * @param claim the claim of the owner; a store may name or tag the principal by it
 * @param publishedKeys as in {@link ProvisionRequest}
 */
public record GrantRequest(
        BucketName bucket, BucketOwner owner, ClaimIdentity claim, Access access, Set<String> publishedKeys) {

    public GrantRequest {
        publishedKeys = Set.copyOf(publishedKeys);
    }

    /** For owners that are no claims. */
    public GrantRequest(BucketName bucket, BucketOwner owner, Access access, Set<String> publishedKeys) {
        this(bucket, owner, ClaimIdentity.NONE, access, publishedKeys);
    }
}
