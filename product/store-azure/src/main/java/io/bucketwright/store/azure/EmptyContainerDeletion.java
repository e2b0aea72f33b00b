package io.bucketwright.store.azure;

import io.bucketwright.store.StoreCall;
import io.bucketwright.store.errors.StoreException;
import io.bucketwright.store.errors.StoreException.NotEmpty;

/**
 * Deletes containers that are empty. Azure deletes a container with its blobs, so that nobody may write between the check and
 * the deletion: all tokens are refused before the last check.
 *
 * <p>Whatever keeps the container from being deleted, tokens are valid again. If the restoration fails too, or the process
 * crashes, the next attempt restores the policies of a container that is not empty.
 */
record EmptyContainerDeletion(Containers containers, ContainerContents contents) {

    /**
     * Deletes a container.
     *
     * @throws NotEmpty if the container is not empty; then everybody keeps their access
     */
    void delete(StoreCall call, ContainerLease lease) {
        if (!contents.isEmpty(call, lease.bucket())) {
            enableAfterCrash(call, lease);
            throw notEmpty(lease);
        }
        ContainerAcl before = containers.acl(call, lease.bucket());
        ContainerAcl disabled = before.disabled();
        try {
            if (!before.equals(disabled)) {
                containers.putAcl(call, lease, disabled);
                if (!contents.isEmpty(call, lease.bucket())) {
                    throw notEmpty(lease);
                }
            }
            containers.delete(call, lease);
        } catch (StoreException failed) {
            // Also if there is no response: the request may have taken effect.
            enable(call, lease, before.enabled(), failed);
            throw failed;
        }
    }

    private void enableAfterCrash(StoreCall call, ContainerLease lease) {
        ContainerAcl found = containers.acl(call, lease.bucket());
        ContainerAcl enabled = found.enabled();
        if (!enabled.equals(found)) {
            containers.putAcl(call, lease, enabled);
        }
    }

    private void enable(StoreCall call, ContainerLease lease, ContainerAcl enabled, StoreException failed) {
        try {
            containers.putAcl(call, lease, enabled);
        } catch (StoreException notRestored) {
            failed.addSuppressed(notRestored);
        }
    }

    private static NotEmpty notEmpty(ContainerLease lease) {
        return new NotEmpty("The container " + lease.bucket() + " is not empty.");
    }
}
