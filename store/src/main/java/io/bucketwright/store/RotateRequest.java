package io.bucketwright.store;

import io.bucketwright.store.access.BucketName;
import io.bucketwright.store.access.BucketOwner;
import io.bucketwright.store.errors.StoreException.Invalid;
import java.util.Set;

/**
 * Creates second credentials for a principal, in addition to the published ones.
 *
 * @param publishedKeys ids of the credentials that stay valid: at most one, because a principal has at most two
 */
public record RotateRequest(BucketName bucket, BucketOwner owner, Set<String> publishedKeys) {

    public RotateRequest {
        publishedKeys = Set.copyOf(publishedKeys);
        if (publishedKeys.size() > 1) {
            throw new Invalid("a rotation is in progress; retire one of the keys " + publishedKeys + " first");
        }
    }
}
