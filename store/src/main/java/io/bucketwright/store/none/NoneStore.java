package io.bucketwright.store.none;

import io.bucketwright.store.access.AccessMode;
import io.bucketwright.store.AdoptRequest;
import io.bucketwright.store.access.BucketName;
import io.bucketwright.store.BucketStore;
import io.bucketwright.store.StoreCall;
import io.bucketwright.store.options.Capability;
import io.bucketwright.store.connection.Connection;
import io.bucketwright.store.connection.Credentials;
import io.bucketwright.store.DeleteRequest;
import io.bucketwright.store.connection.Endpoint;
import io.bucketwright.store.GrantRequest;
import io.bucketwright.store.access.BucketOwner;
import io.bucketwright.store.Progress;
import io.bucketwright.store.ProvisionRequest;
import io.bucketwright.store.connection.ProvisionedBucket;
import io.bucketwright.store.RotateRequest;
import io.bucketwright.store.errors.StoreException.NotFound;
import io.bucketwright.store.errors.StoreException.Taken;
import io.bucketwright.store.UpdateRequest;
import io.bucketwright.store.Usage;
import io.bucketwright.store.none.Remembered.Mark;
import io.bucketwright.store.none.Remembered.Mark.Adopted;
import io.bucketwright.store.none.Remembered.Mark.Owned;
import io.bucketwright.store.none.Remembered.Mark.Released;
import io.bucketwright.store.none.Remembered.Mark.Unmarked;
import io.bucketwright.store.none.Remembered.Principal;
import java.util.Collection;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;

/** Makes nothing, and says it has. */
final class NoneStore implements BucketStore {

    private static final Endpoint NOWHERE = new Endpoint(false, "none.invalid", 80);

    private final Disturbance disturbance;
    private final Map<BucketName, Mark> buckets = new HashMap<>();
    private final Map<BucketOwner, Principal> principals = new HashMap<>();

    NoneStore(Disturbance disturbance, Collection<BucketName> existing) {
        this.disturbance = disturbance;
        existing.forEach(bucket -> buckets.put(bucket, new Unmarked()));
    }

    @Override
    public Set<Capability> capabilities() {
        return EnumSet.allOf(Capability.class);
    }

    @Override
    public ProvisionedBucket provision(StoreCall call, ProvisionRequest request) {
        disturbance.happen(call);
        synchronized (buckets) {
            Mark mark = buckets.computeIfAbsent(request.bucket(), bucket -> new Owned(request.owner()));
            if (!mark.equals(new Owned(request.owner()))) {
                throw taken(request.bucket());
            }
            return handOut(request.bucket(), request.owner(), request.access().mode(), request.publishedKeys());
        }
    }

    @Override
    public ProvisionedBucket grant(StoreCall call, GrantRequest request) {
        disturbance.happen(call);
        synchronized (buckets) {
            mark(request.bucket());
            return handOut(request.bucket(), request.owner(), request.access().mode(), request.publishedKeys());
        }
    }

    @Override
    public Progress delete(StoreCall call, DeleteRequest request) {
        disturbance.happen(call);
        synchronized (buckets) {
            principals.remove(request.owner());
            buckets.remove(request.bucket(), new Owned(request.owner()));
            if (buckets.containsKey(request.bucket())) {
                throw taken(request.bucket());
            }
            return new Progress.Done();
        }
    }

    @Override
    public void revoke(StoreCall call, BucketName bucket, BucketOwner owner) {
        disturbance.happen(call);
        synchronized (buckets) {
            principals.remove(owner);
        }
    }

    @Override
    public Credentials rotate(StoreCall call, RotateRequest request) {
        disturbance.happen(call);
        synchronized (buckets) {
            return principal(request.owner()).newKey(request.publishedKeys());
        }
    }

    @Override
    public void retire(StoreCall call, BucketName bucket, BucketOwner owner, Set<String> keptKeys) {
        disturbance.happen(call);
        synchronized (buckets) {
            principal(owner).retire(keptKeys);
        }
    }

    @Override
    public Progress erase(StoreCall call, BucketName bucket, BucketOwner owner) {
        disturbance.happen(call);
        requireOwned(bucket, owner);
        return new Progress.Done();
    }

    @Override
    public void suspend(StoreCall call, BucketName bucket, BucketOwner owner) {
        disturbance.happen(call);
    }

    @Override
    public void unsuspend(StoreCall call, BucketName bucket, BucketOwner owner) {
        disturbance.happen(call);
        synchronized (buckets) {
            principal(owner);
        }
    }

    @Override
    public void update(StoreCall call, UpdateRequest request) {
        disturbance.happen(call);
        if (!request.options().isEmpty()) {
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
        disturbance.happen(call);
        synchronized (buckets) {
            mark(bucket);
            return new Usage(0, 0, true);
        }
    }

    @Override
    public void release(StoreCall call, BucketName bucket, BucketOwner owner) {
        disturbance.happen(call);
        synchronized (buckets) {
            Mark mark = buckets.getOrDefault(bucket, new Released(owner));
            if (!Set.of(new Owned(owner), new Adopted(owner), new Released(owner))
                    .contains(mark)) {
                throw taken(bucket);
            }
            buckets.computeIfPresent(bucket, (name, old) -> new Released(owner));
        }
    }

    @Override
    public void adopt(StoreCall call, AdoptRequest request) {
        disturbance.happen(call);
        synchronized (buckets) {
            boolean free = switch (mark(request.bucket())) {
                case Unmarked _ -> request.untagged();
                case Released _ -> true;
                case Adopted adopted -> adopted.owner().equals(request.owner());
                case Owned _ -> false;
            };
            if (!free) {
                throw taken(request.bucket());
            }
            buckets.put(request.bucket(), new Adopted(request.owner()));
        }
    }

    private ProvisionedBucket handOut(BucketName bucket, BucketOwner owner, AccessMode mode, Set<String> published) {
        Connection connection = new Connection.S3(bucket, NOWHERE, "", "", true);
        if (mode == AccessMode.NONE) {
            return new ProvisionedBucket(connection, new Credentials.None());
        }
        Principal principal = principals.computeIfAbsent(owner, Principal::new);
        return new ProvisionedBucket(connection, principal.newKey(published));
    }

    private void requireOwned(BucketName bucket, BucketOwner owner) {
        synchronized (buckets) {
            if (!mark(bucket).equals(new Owned(owner))) {
                throw taken(bucket);
            }
        }
    }

    private Mark mark(BucketName bucket) {
        Mark mark = buckets.get(bucket);
        if (mark == null) {
            throw new NotFound("There is no bucket " + bucket + ".");
        }
        return mark;
    }

    private Principal principal(BucketOwner owner) {
        Principal principal = principals.get(owner);
        if (principal == null) {
            throw new NotFound("There is no principal " + owner.principal() + ".");
        }
        return principal;
    }

    private static Taken taken(BucketName bucket) {
        return new Taken("The bucket " + bucket + " is there and is not this claim's.");
    }
}
