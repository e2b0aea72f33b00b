package io.bucketwright.cosi.core;

import io.fabric8.kubernetes.api.model.HasMetadata;

/**
 * An access as a user requests it. Nothing in it says on which bucket, or by which account, access was granted.
 *
 * @param isProtected whether it has the finalizer
 * @param served whether this driver finishes its deletion if no ledger has a grant for it
 * @param secret the name of the Secret for the credentials
 * @param accountId that the status shows; written by this or another sidecar
 * @param granted whether the status shows it as granted
 */
public record RequestedAccess(
        HasMetadata object, boolean isProtected, boolean served, String secret, String accountId, boolean granted) {

    /** Whether the status shows that the Secret has the credentials of this account. */
    boolean shows(String id) {
        return granted && accountId.equals(id);
    }
}
