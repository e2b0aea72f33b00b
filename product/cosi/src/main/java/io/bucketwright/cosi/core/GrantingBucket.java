package io.bucketwright.cosi.core;

import io.bucketwright.store.grants.Grant;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.util.List;
import java.util.Set;

/**
 * A bucket of this driver, as far as its grants are concerned.
 *
 * @param object that records the ledger; tenants cannot write it
 * @param id by which the driver finds the bucket; empty if that is not known
 * @param restored whether the object comes from a backup, and no administrator has adopted it
 * @param deletedAccounts the names of accounts that an administrator has deleted in the store
 */
public record GrantingBucket(
        HasMetadata object, String id, boolean restored, Set<String> deletedAccounts, BucketGrants grants) {

    public GrantingBucket {
        deletedAccounts = Set.copyOf(deletedAccounts);
    }

    public String name() {
        return object.getMetadata().getName();
    }

    List<Grant> of(String uid) {
        return grants.ledger().of(uid).toList();
    }
}
