package io.bucketwright.store;

import io.bucketwright.store.access.BucketName;
import io.bucketwright.store.access.BucketOwner;
import io.bucketwright.store.errors.StoreException.NotFound;
import java.util.Set;

/** A store whose credentials can be replaced while the former ones are valid, and disabled: capabilities ROTATE and SUSPEND. */
public interface Rotating extends BucketStore {

    /**
     * Ends a rotation, which began with a {@link #grant} that names the published credentials: deletes all other credentials
     * of the owner's principal.
     *
     * @throws NotFound if the principal does not exist
     */
    void retire(StoreCall call, BucketName bucket, BucketOwner owner, Set<String> keptKeys);

    /** Disables the owner's credentials until {@link #unsuspend}. Keeps the principal, the bucket and its objects. */
    void suspend(StoreCall call, BucketName bucket, BucketOwner owner);

    /**
     * Enables the credentials that {@link #suspend} disabled.
     *
     * @throws NotFound if the principal does not exist
     */
    void unsuspend(StoreCall call, BucketName bucket, BucketOwner owner);
}
