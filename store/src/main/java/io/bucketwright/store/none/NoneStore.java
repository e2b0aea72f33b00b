package io.bucketwright.store.none;

import io.bucketwright.store.AdoptRequest;
import io.bucketwright.store.BucketPage;
import io.bucketwright.store.BucketStore;
import io.bucketwright.store.DeleteRequest;
import io.bucketwright.store.GrantRequest;
import io.bucketwright.store.ListedBucket;
import io.bucketwright.store.Progress;
import io.bucketwright.store.ProvisionRequest;
import io.bucketwright.store.RotateRequest;
import io.bucketwright.store.StoreCall;
import io.bucketwright.store.TransferRequest;
import io.bucketwright.store.UpdateRequest;
import io.bucketwright.store.Usage;
import io.bucketwright.store.access.AccessMode;
import io.bucketwright.store.access.BucketName;
import io.bucketwright.store.access.BucketOwner;
import io.bucketwright.store.access.ClaimIdentity;
import io.bucketwright.store.connection.Connection;
import io.bucketwright.store.connection.Credentials;
import io.bucketwright.store.connection.Endpoint;
import io.bucketwright.store.connection.ProvisionedBucket;
import io.bucketwright.store.errors.StoreException.NotFound;
import io.bucketwright.store.errors.StoreException.Taken;
import io.bucketwright.store.none.BucketOwnership.Adopted;
import io.bucketwright.store.none.BucketOwnership.Owned;
import io.bucketwright.store.none.BucketOwnership.Released;
import io.bucketwright.store.none.BucketOwnership.Untagged;
import io.bucketwright.store.options.Capability;
import java.security.SecureRandom;
import java.util.Collection;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** A store that reports success and creates nothing. It keeps ownership, principals and key ids in memory. */
final class NoneStore implements BucketStore {

    private static final Endpoint NOWHERE = new Endpoint(false, "none.invalid", 80);

    private final FaultInjection faults;
    private final SecureRandom random = new SecureRandom();
    private final Map<BucketName, BucketOwnership> buckets = new HashMap<>();
    private final Map<BucketOwner, NonePrincipal> principals = new HashMap<>();

    NoneStore(FaultInjection faults, Collection<BucketName> existing) {
        this.faults = faults;
        existing.forEach(bucket -> buckets.put(bucket, new Untagged()));
    }

    @Override
    public Set<Capability> capabilities() {
        return EnumSet.allOf(Capability.class);
    }

    @Override
    public boolean offersEncryption() {
        return NOWHERE.secure();
    }

    @Override
    public ProvisionedBucket provision(StoreCall call, ProvisionRequest request) {
        faults.apply(call);
        synchronized (buckets) {
            Owned wanted = new Owned(request.owner(), request.claim());
            BucketOwnership ownership = buckets.computeIfAbsent(request.bucket(), bucket -> wanted);
            Optional<BucketOwner> former = ownership.formerOwner(request.owner(), request.claim());
            if (ownership instanceof Owned && former.isPresent()) {
                principals.remove(former.get());
                buckets.put(request.bucket(), wanted);
            } else if (!ownership.isOwnedBy(request.owner())) {
                throw taken(request.bucket(), request.owner());
            }
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
            buckets.computeIfPresent(
                    request.bucket(), (name, ownership) -> ownership.isOwnedBy(request.owner()) ? null : ownership);
            if (buckets.containsKey(request.bucket())) {
                throw taken(request.bucket(), request.owner());
            }
            return new Progress.Done();
        }
    }

    @Override
    public void revoke(StoreCall call, BucketName bucket, BucketOwner owner) {
        faults.apply(call);
        synchronized (buckets) {
            principals.remove(owner);
        }
    }

    @Override
    public Credentials rotate(StoreCall call, RotateRequest request) {
        faults.apply(call);
        synchronized (buckets) {
            return principal(request.owner()).newKey(request.publishedKeys(), random);
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
        requireOwned(bucket, owner);
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

    private ListedBucket listed(BucketName bucket) {
        return new ListedBucket(
                bucket.text(), buckets.getOrDefault(bucket, new Untagged()).toTags(), Optional.empty());
    }

    @Override
    public void release(StoreCall call, BucketName bucket, BucketOwner owner) {
        faults.apply(call);
        synchronized (buckets) {
            BucketOwnership ownership = buckets.getOrDefault(bucket, new Released(owner, ClaimIdentity.NONE));
            if (!ownership.isOwnedBy(owner) && !ownership.isAdoptedBy(owner) && !ownership.isReleasedBy(owner)) {
                throw taken(bucket);
            }
            buckets.computeIfPresent(bucket, (name, old) -> new Released(owner, old.claimOrNone()));
        }
    }

    @Override
    public void adopt(StoreCall call, AdoptRequest request) {
        faults.apply(call);
        synchronized (buckets) {
            BucketOwnership ownership = ownership(request.bucket());
            Optional<BucketOwner> former = ownership.formerOwner(request.owner(), request.claim());
            boolean adoptable = switch (ownership) {
                case Untagged _ -> request.untagged();
                case Released released ->
                    request.anyNamespace() || released.claim().isSameNamespace(request.claim());
                case Adopted adopted -> adopted.owner().equals(request.owner()) || former.isPresent();
                case Owned _ -> former.isPresent();
            };
            if (!adoptable) {
                throw taken(request.bucket());
            }
            former.ifPresent(principals::remove);
            buckets.put(request.bucket(), new Adopted(request.owner(), request.claim()));
        }
    }

    @Override
    public void transfer(StoreCall call, TransferRequest request) {
        faults.apply(call);
        synchronized (buckets) {
            BucketOwnership ownership = ownership(request.bucket());
            ClaimIdentity claim = ownership.claimOrNone();
            BucketOwner owner = ownership
                    .currentOwner()
                    .filter(found ->
                            Set.of(request.fromCluster(), request.toCluster()).contains(found.clusterId()))
                    .filter(found -> request.matches(found, claim))
                    .orElseThrow(() -> taken(request.bucket()));
            if (owner.clusterId().equals(request.fromCluster())) {
                principals.remove(owner);
                BucketOwner moved = new BucketOwner(request.toCluster(), owner.uid());
                buckets.put(
                        request.bucket(),
                        ownership instanceof Owned ? new Owned(moved, claim) : new Adopted(moved, claim));
            }
        }
    }

    @Override
    public void checkCluster(StoreCall call, BucketName bucket, BucketOwner owner) {
        faults.apply(call);
        synchronized (buckets) {
            if (isElsewhere(bucket, owner)) {
                throw taken(bucket, owner);
            }
        }
    }

    private ProvisionedBucket issue(BucketName bucket, BucketOwner owner, AccessMode mode, Set<String> published) {
        Connection connection = new Connection.S3(bucket, NOWHERE, "", "", true);
        if (mode == AccessMode.NONE) {
            return new ProvisionedBucket(connection, new Credentials.None());
        }
        NonePrincipal principal = principals.computeIfAbsent(owner, _ -> new NonePrincipal());
        return new ProvisionedBucket(connection, principal.newKey(published, random));
    }

    private void requireOwned(BucketName bucket, BucketOwner owner) {
        synchronized (buckets) {
            if (!ownership(bucket).isOwnedBy(owner)) {
                throw taken(bucket);
            }
        }
    }

    private BucketOwnership ownership(BucketName bucket) {
        BucketOwnership ownership = buckets.get(bucket);
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

    private boolean isElsewhere(BucketName bucket, BucketOwner owner) {
        return Optional.ofNullable(buckets.get(bucket))
                .flatMap(BucketOwnership::currentOwner)
                .filter(found -> found.isSameInAnotherCluster(owner))
                .isPresent();
    }

    private Taken taken(BucketName bucket, BucketOwner wanted) {
        return isElsewhere(bucket, wanted)
                ? new Taken("The bucket " + bucket + " belongs to another cluster.")
                : taken(bucket);
    }

    private static Taken taken(BucketName bucket) {
        return new Taken("The bucket " + bucket + " already exists and is not owned by this claim.");
    }
}
