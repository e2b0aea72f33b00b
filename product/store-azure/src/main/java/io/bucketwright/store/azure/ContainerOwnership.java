package io.bucketwright.store.azure;

import io.bucketwright.store.AdoptRequest;
import io.bucketwright.store.OnOpenBucket;
import io.bucketwright.store.ProvisionRequest;
import io.bucketwright.store.StoreCall;
import io.bucketwright.store.TransferRequest;
import io.bucketwright.store.access.BucketOwner;
import io.bucketwright.store.access.OwnershipTags;
import io.bucketwright.store.errors.StoreException.Invalid;
import io.bucketwright.store.errors.StoreException.Taken;
import io.bucketwright.store.ownership.OwnershipChange;
import io.bucketwright.store.ownership.OwnershipChange.NewTags;
import io.bucketwright.store.ownership.OwnershipChange.NoChange;
import java.util.Map;
import java.util.Optional;

/** Gives a container that exists to an owner. Everything happens while the lease of the container is held. */
record ContainerOwnership(Containers containers, PolicyPrincipals principals) {

    /**
     * Continues with a container of this owner, or of a former one of the same claim.
     *
     * @throws Taken if it has another owner, or none
     */
    ContainerAcl accept(StoreCall call, ContainerLease lease, ProvisionRequest request) {
        Map<String, String> tags = containers.tags(call, request.bucket());
        OwnershipChange change = OwnershipChange.provision(request, OwnershipTags.read(tags));
        ContainerAcl acl = containers.acl(call, request.bucket());
        return switch (change) {
            case NoChange _ -> acl;
            case NewTags replaced -> {
                ContainerAcl closed = without(acl, replaced.former()).closed();
                containers.putAcl(call, lease, closed);
                containers.putTags(call, lease, replaced.tags().mergedInto(tags));
                yield closed;
            }
        };
    }

    void adopt(StoreCall call, ContainerLease lease, AdoptRequest request) {
        Map<String, String> all = containers.tags(call, request.bucket());
        if (!(OwnershipChange.adopt(request, OwnershipTags.read(all)) instanceof NewTags change)) {
            return;
        }
        ContainerAcl acl = containers.acl(call, request.bucket());
        if (change.former().isEmpty() && acl.isOpen() && request.onOpen() == OnOpenBucket.REFUSE) {
            throw new Invalid("The container " + request.bucket() + " cannot be adopted, because its "
                    + (acl.publicAccess().isEmpty() ? "stored access policies give" : "public access gives")
                    + " others access. Remove that in the store, or use a class with onOpenBucket: close");
        }
        // Before the tags: nobody gets a bucket that others can use.
        ContainerAcl closed = without(acl, change.former()).closed();
        if (!closed.equals(acl)) {
            containers.putAcl(call, lease, closed);
        }
        containers.putTags(call, lease, change.tags().mergedInto(all));
    }

    void transfer(StoreCall call, ContainerLease lease, TransferRequest request) {
        Map<String, String> all = containers.tags(call, request.bucket());
        if (OwnershipChange.transfer(request, OwnershipTags.read(all)) instanceof NewTags change) {
            containers.putAcl(call, lease, without(containers.acl(call, request.bucket()), change.former()));
            containers.putTags(call, lease, change.tags().mergedInto(all));
        }
    }

    private ContainerAcl without(ContainerAcl acl, Optional<BucketOwner> former) {
        return former.map(owner -> principals.delete(acl, owner)).orElse(acl);
    }
}
