package io.bucketwright.store;

import io.bucketwright.store.access.BucketOwner;

import io.bucketwright.store.access.BucketName;

import io.bucketwright.store.errors.StoreException.Invalid;
import java.util.Set;

/**
 * A second credential for a principal, beside the one in use.
 *
 * @param publishedKeys ids of the credentials that stay valid: at most one, since no principal has more than two
 */
public record RotateRequest(BucketName bucket, BucketOwner owner, Set<String> publishedKeys) {

    public RotateRequest {
        publishedKeys = Set.copyOf(publishedKeys);
        if (publishedKeys.size() > 1) {
            throw new Invalid("a rotation is under way already: retire one of the keys " + publishedKeys + " first");
        }
    }
}
