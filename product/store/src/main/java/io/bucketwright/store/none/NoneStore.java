package io.bucketwright.store.none;

import io.bucketwright.store.AdoptRequest;
import io.bucketwright.store.BucketPage;
import io.bucketwright.store.CompleteStore;
import io.bucketwright.store.DeleteRequest;
import io.bucketwright.store.GrantRequest;
import io.bucketwright.store.ListedBucket;
import io.bucketwright.store.MissingPart;
import io.bucketwright.store.Progress;
import io.bucketwright.store.ProvisionRequest;
import io.bucketwright.store.StoreCall;
import io.bucketwright.store.TransferRequest;
import io.bucketwright.store.UpdateRequest;
import io.bucketwright.store.Usage;
import io.bucketwright.store.access.AccessMode;
import io.bucketwright.store.access.BucketName;
import io.bucketwright.store.access.BucketOwner;
import io.bucketwright.store.access.OwnershipTags;
import io.bucketwright.store.access.Reclaim;
import io.bucketwright.store.connection.Connection;
import io.bucketwright.store.connection.Credentials;
import io.bucketwright.store.connection.Endpoint;
import io.bucketwright.store.connection.ProvisionedBucket;
import io.bucketwright.store.errors.StoreException.NotFound;
import io.bucketwright.store.options.Capability;
import io.bucketwright.store.ownership.OwnershipChange;
import io.bucketwright.store.ownership.OwnershipChange.NewTags;
import io.bucketwright.store.ownership.OwnershipConflict;
import java.security.SecureRandom;
import java.util.Collection;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** A store that reports success and creates nothing. It keeps ownership, principals and key ids in memory. */
final class NoneStore implements CompleteStore {

    private static final Endpoint NOWHERE = new Endpoint(false, "none.invalid", 80);

    private final FaultInjection faults;
    private final SecureRandom random = new SecureRandom();
    private final Map<BucketName, OwnershipTags> buckets = new HashMap<>();
    private final Map<BucketOwner, NonePrincipal> principals = new HashMap<>();

    NoneStore(FaultInjection faults, Collection<BucketName> existing) {
        this.faults = faults;
        existing.forEach(bucket -> buckets.put(bucket, new OwnershipTags.Untagged()));
    }

    @Override
    public Set<Capability> capabilities() {
        return EnumSet.allOf(Capability.class);
    }

    @Override
    public boolean offersTls() {
        return NOWHERE.secure();
    }

    @Override
    public ProvisionedBucket provision(StoreCall call, ProvisionRequest request) {
        faults.apply(call);
        synchronized (buckets) {
            OwnershipTags found = buckets.computeIfAbsent(request.bucket(), _ -> request.ownership());
            change(request.bucket(), OwnershipChange.provision(request, found));
            return issue(request.bucket(), request.owner(), request.access().mode(), request.publishedKeys());
        }
    }

    @Override
    public void check(StoreCall call, BucketName bucket, BucketOwner owner) {
        faults.apply(call);
    }

    @Override
    public ProvisionedBucket grant(StoreCall call, GrantRequest request) {
        faults.apply(call);
        synchronized (buckets) {
            ownership(request.bucket());
            return issue(request.bucket(), request.owner(), request.access().mode(), request.publishedKeys());
        }
    }

    @Override
    public Progress delete(StoreCall call, DeleteRequest request) {
        faults.apply(call);
        synchronized (buckets) {
            principals.remove(request.owner());
            if (buckets.containsKey(request.bucket())) {
                OwnershipConflict.requireReclaimable(
                        request.bucket(), ownership(request.bucket()), request.owner(), Reclaim.DELETE);
                buckets.remove(request.bucket());
            }
            return new Progress.Done();
        }
    }

    @Override
    public void revoke(StoreCall call, BucketName bucket, BucketOwner owner, Set<String> keys) {
        faults.apply(call);
        synchronized (buckets) {
            principals.remove(owner);
        }
    }

    @Override
    public void retire(StoreCall call, BucketName bucket, BucketOwner owner, Set<String> keptKeys) {
        faults.apply(call);
        synchronized (buckets) {
            principal(owner).retire(keptKeys);
        }
    }

    @Override
    public Progress erase(StoreCall call, BucketName bucket, BucketOwner owner) {
        faults.apply(call);
        synchronized (buckets) {
            OwnershipConflict.requireReclaimable(bucket, ownership(bucket), owner, Reclaim.ERASE);
        }
        return new Progress.Done();
    }

    @Override
    public void suspend(StoreCall call, BucketName bucket, BucketOwner owner) {
        faults.apply(call);
    }

    @Override
    public void unsuspend(StoreCall call, BucketName bucket, BucketOwner owner) {
        faults.apply(call);
        synchronized (buckets) {
            principal(owner);
        }
    }

    @Override
    public void update(StoreCall call, UpdateRequest request) {
        faults.apply(call);
        if (request.changesBucket()) {
            requireOwned(request.bucket(), request.owner());
        }
        if (request.access().mode() != AccessMode.NONE) {
            synchronized (buckets) {
                principal(request.owner());
            }
        }
    }

    @Override
    public Usage usage(StoreCall call, BucketName bucket) {
        faults.apply(call);
        synchronized (buckets) {
            ownership(bucket);
            return new Usage(0, 0, true);
        }
    }

    @Override
    public BucketPage listBuckets(StoreCall call, String from) {
        faults.apply(call);
        synchronized (buckets) {
            return new BucketPage(buckets.keySet().stream().map(this::listed).toList(), Optional.empty());
        }
    }

    @Override
    public Optional<ListedBucket> findBucket(StoreCall call, BucketName bucket) {
        faults.apply(call);
        synchronized (buckets) {
            return Optional.of(bucket).filter(buckets::containsKey).map(this::listed);
        }
    }

    /** This store forgets its buckets when the process ends; they are not missed. */
    @Override
    public Set<MissingPart> verify(StoreCall call, BucketName bucket, BucketOwner owner, Set<String> keys) {
        faults.apply(call);
        return Set.of();
    }

    private ListedBucket listed(BucketName bucket) {
        return new ListedBucket(bucket.text(), ownership(bucket), Optional.empty());
    }

    @Override
    public void release(StoreCall call, BucketName bucket, BucketOwner owner) {
        faults.apply(call);
        synchronized (buckets) {
            if (buckets.containsKey(bucket)) {
                change(bucket, OwnershipChange.release(bucket, owner, ownership(bucket)));
            }
        }
    }

    @Override
    public void adopt(StoreCall call, AdoptRequest request) {
        faults.apply(call);
        synchronized (buckets) {
            change(request.bucket(), OwnershipChange.adopt(request, ownership(request.bucket())));
        }
    }

    @Override
    public void transfer(StoreCall call, TransferRequest request) {
        faults.apply(call);
        synchronized (buckets) {
            change(request.bucket(), OwnershipChange.transfer(request, ownership(request.bucket())));
        }
    }

    @Override
    public void checkCluster(StoreCall call, BucketName bucket, BucketOwner owner) {
        faults.apply(call);
        synchronized (buckets) {
            if (buckets.containsKey(bucket)) {
                OwnershipConflict.checkCluster(bucket, ownership(bucket), owner);
            }
        }
    }

    private void change(BucketName bucket, OwnershipChange change) {
        if (change instanceof NewTags replaced) {
            replaced.former().ifPresent(principals::remove);
            buckets.put(bucket, replaced.tags());
        }
    }

    private ProvisionedBucket issue(BucketName bucket, BucketOwner owner, AccessMode mode, Set<String> published) {
        Connection connection = Connection.s3(bucket, NOWHERE, "");
        if (mode == AccessMode.NONE) {
            return new ProvisionedBucket(connection, Credentials.NONE);
        }
        NonePrincipal principal = principals.computeIfAbsent(owner, _ -> new NonePrincipal());
        return new ProvisionedBucket(
                connection, principal.newKey(published, random).credentials());
    }

    private void requireOwned(BucketName bucket, BucketOwner owner) {
        synchronized (buckets) {
            OwnershipConflict.requireOwned(bucket, ownership(bucket), owner);
        }
    }

    private OwnershipTags ownership(BucketName bucket) {
        OwnershipTags ownership = buckets.get(bucket);
        if (ownership == null) {
            throw new NotFound("The bucket " + bucket + " does not exist.");
        }
        return ownership;
    }

    private NonePrincipal principal(BucketOwner owner) {
        NonePrincipal principal = principals.get(owner);
        if (principal == null) {
            throw new NotFound("The principal " + owner.principal() + " does not exist.");
        }
        return principal;
    }
}
