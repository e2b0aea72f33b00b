package io.bucketwright.store.gcs;

import io.bucketwright.store.AdoptRequest;
import io.bucketwright.store.BucketPage;
import io.bucketwright.store.CompleteStore;
import io.bucketwright.store.DeleteRequest;
import io.bucketwright.store.GrantRequest;
import io.bucketwright.store.ListedBucket;
import io.bucketwright.store.MissingPart;
import io.bucketwright.store.OnNotEmpty;
import io.bucketwright.store.Progress;
import io.bucketwright.store.ProvisionRequest;
import io.bucketwright.store.StoreCall;
import io.bucketwright.store.TransferRequest;
import io.bucketwright.store.UpdateRequest;
import io.bucketwright.store.Usage;
import io.bucketwright.store.access.Access;
import io.bucketwright.store.access.AccessMode;
import io.bucketwright.store.access.BucketName;
import io.bucketwright.store.access.BucketOwner;
import io.bucketwright.store.access.OwnershipTags;
import io.bucketwright.store.access.Reclaim;
import io.bucketwright.store.connection.Credentials;
import io.bucketwright.store.connection.ProvisionedBucket;
import io.bucketwright.store.errors.StoreException.Denied;
import io.bucketwright.store.errors.StoreException.NotEmpty;
import io.bucketwright.store.errors.StoreException.Taken;
import io.bucketwright.store.options.BucketOptions;
import io.bucketwright.store.options.Capability;
import io.bucketwright.store.ownership.OwnershipChange;
import io.bucketwright.store.ownership.OwnershipChange.NewTags;
import io.bucketwright.store.ownership.OwnershipConflict;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Combines {@link Buckets} and {@link Principals}. After a crash between two requests, the next call continues. */
record GcsBucketStore(
        GcsClient client, GcsParameters parameters, Buckets buckets, BucketContents contents, Principals principals)
        implements CompleteStore {

    /** <a href="https://cloud.google.com/iam/docs/access-change-propagation">Two minutes, potentially seven</a>. */
    private static final Duration IAM_PROPAGATION = Duration.ofMinutes(7);

    static GcsBucketStore of(GcsClient client, GcsParameters parameters) {
        return new GcsBucketStore(
                client,
                parameters,
                new Buckets(client, parameters),
                new BucketContents(client, parameters.endpoint()),
                new Principals(
                        new ServiceAccounts(client, parameters),
                        new BucketBindings(client, parameters),
                        switch (parameters.principalKeys()) {
                            case HMAC -> new HmacKeys(client, parameters);
                            case SERVICE_ACCOUNT -> new AccountKeys(client, parameters);
                        }));
    }

    @Override
    public Set<Capability> supportedOptions() {
        Set<Capability> supported =
                EnumSet.of(Capability.ACCESS, Capability.ACTIONS, Capability.PREFIX, Capability.WRITE_ONLY);
        supported.addAll(BucketSettings.SUPPORTED);
        return supported;
    }

    @Override
    public void check(StoreCall call, BucketName bucket, BucketOwner owner) {
        Optional<BucketState> _ = buckets.find(call, bucket);
        principals.check(call, owner);
    }

    @Override
    public Duration accessEndsWithin() {
        return parameters.isGoogle() ? IAM_PROPAGATION : Duration.ZERO;
    }

    @Override
    public boolean offersTls() {
        return parameters.publicEndpoint().secure();
    }

    @Override
    public ProvisionedBucket provision(StoreCall call, ProvisionRequest request) {
        check(request.bucket(), request.access(), request.options());
        BucketState bucket = ownership().ensure(call, request);
        settings().apply(call, bucket, request.options());
        return issue(call, request.bucket(), request.owner(), request.access(), request.publishedKeys());
    }

    @Override
    public ProvisionedBucket grant(StoreCall call, GrantRequest request) {
        check(request.bucket(), request.access(), BucketOptions.unmanaged());
        BucketState _ = buckets.require(call, request.bucket());
        return issue(call, request.bucket(), request.owner(), request.access(), request.publishedKeys());
    }

    @Override
    public Progress delete(StoreCall call, DeleteRequest request) {
        BucketName bucket = request.bucket();
        if (request.onNotEmpty() == OnNotEmpty.BLOCK) {
            requireEmpty(call, request);
        }
        // Before the bucket, so that nobody writes to a bucket that is being emptied or to a later one of the same
        // name.
        principals.delete(call, bucket, request.owner(), request.keys());
        // After the requests for the service account: a claim that was created again may have got the bucket meanwhile.
        Optional<BucketState> owned = findOwned(call, request);
        if (owned.isPresent() && request.onNotEmpty() == OnNotEmpty.PURGE) {
            if (contents.deleteSlice(call, bucket) instanceof Progress.More more) {
                return more;
            }
            // Deleting objects takes time too.
            owned = findOwned(call, request);
        }
        owned.ifPresent(found -> buckets.delete(call, found));
        return new Progress.Done();
    }

    /** Only for an owner: to others it must not matter what a bucket contains. */
    private void requireEmpty(StoreCall call, DeleteRequest request) {
        BucketName bucket = request.bucket();
        Optional<BucketState> found;
        try {
            found = buckets.find(call, bucket);
        } catch (Taken ofAnotherProject) {
            return;
        }
        boolean owned = found.filter(state -> state.tags().isReclaimableBy(request.owner(), Reclaim.DELETE))
                .isPresent();
        if (owned && !contents.isEmpty(call, bucket)) {
            throw new NotEmpty("The bucket " + bucket + " is not empty.");
        }
    }

    /**
     * Reads the bucket immediately before something is deleted. Empty if it does not exist.
     *
     * @throws Taken if the bucket has another owner
     */
    private Optional<BucketState> findOwned(StoreCall call, DeleteRequest request) {
        Optional<BucketState> found = buckets.find(call, request.bucket());
        found.ifPresent(bucket ->
                OwnershipConflict.requireReclaimable(request.bucket(), bucket.tags(), request.owner(), Reclaim.DELETE));
        return found;
    }

    @Override
    public void revoke(StoreCall call, BucketName bucket, BucketOwner owner, Set<String> keys) {
        principals.delete(call, bucket, owner, keys);
    }

    @Override
    public void retire(StoreCall call, BucketName bucket, BucketOwner owner, Set<String> keptKeys) {
        principals.keepKeys(call, owner, keptKeys);
    }

    @Override
    public Progress erase(StoreCall call, BucketName bucket, BucketOwner owner) {
        BucketState found = buckets.require(call, bucket);
        OwnershipConflict.requireReclaimable(bucket, found.tags(), owner, Reclaim.ERASE);
        BucketState _ = buckets.endSoftDelete(call, found);
        Progress progress = contents.deleteSlice(call, bucket);
        if (progress instanceof Progress.Done) {
            contents.requireUnrestorable(call, bucket);
        }
        return progress;
    }

    @Override
    public void suspend(StoreCall call, BucketName bucket, BucketOwner owner) {
        principals.suspend(call, bucket, owner);
    }

    @Override
    public void unsuspend(StoreCall call, BucketName bucket, BucketOwner owner) {
        principals.unsuspend(call, owner);
    }

    @Override
    public void update(StoreCall call, UpdateRequest request) {
        check(request.bucket(), request.access(), request.options());
        if (!request.removed().isEmpty()) {
            settings().remove(call, requireOwned(call, request.bucket(), request.owner()), request.removed());
        }
        if (!request.options().isEmpty()) {
            settings().apply(call, requireOwned(call, request.bucket(), request.owner()), request.options());
        }
        if (request.access().mode() != AccessMode.NONE) {
            principals.setAccess(call, request.owner(), request.bucket(), request.access());
        }
    }

    @Override
    public Usage usage(StoreCall call, BucketName bucket) {
        return buckets.usage(call, bucket);
    }

    @Override
    public BucketPage listBuckets(StoreCall call, String from) {
        return buckets.list(call, from);
    }

    @Override
    public Optional<ListedBucket> findBucket(StoreCall call, BucketName bucket) {
        try {
            return buckets.find(call, bucket).map(BucketState::listed);
        } catch (Denied | Taken ofAnotherProject) {
            return Optional.of(new ListedBucket(bucket.text(), new OwnershipTags.Unreadable(), Optional.empty()));
        }
    }

    @Override
    public Set<MissingPart> verify(StoreCall call, BucketName bucket, BucketOwner owner, Set<String> keys) {
        try {
            return buckets.find(call, bucket)
                    .map(found -> MissingPart.of(found.tags(), owner, principals.missing(call, bucket, owner, keys)))
                    .orElse(Set.of(MissingPart.BUCKET));
        } catch (Taken ofAnotherProject) {
            // The bucket was deleted, and then somebody else created one of that name.
            return Set.of(MissingPart.BUCKET);
        }
    }

    @Override
    public void release(StoreCall call, BucketName bucket, BucketOwner owner) {
        buckets.find(call, bucket).ifPresent(found -> {
            if (OwnershipChange.release(bucket, owner, found.tags()) instanceof NewTags change) {
                BucketState _ = buckets.setOwnership(call, found, change.tags());
            }
        });
    }

    @Override
    public void adopt(StoreCall call, AdoptRequest request) {
        ownership().adopt(call, request);
    }

    @Override
    public void transfer(StoreCall call, TransferRequest request) {
        ownership().transfer(call, request);
    }

    @Override
    public void checkCluster(StoreCall call, BucketName bucket, BucketOwner owner) {
        Optional<BucketState> found;
        try {
            found = buckets.find(call, bucket);
        } catch (Denied | Taken ofAnotherProject) {
            return;
        }
        found.ifPresent(state -> OwnershipConflict.checkCluster(bucket, state.tags(), owner));
    }

    /** Checks options and access before anything is created or changed. */
    private void check(BucketName bucket, Access access, BucketOptions options) {
        options.requireAll(supportedOptions());
        Object _ = BucketSettings.fields(options);
        if (access.mode() != AccessMode.NONE) {
            List<BucketRole> _ = BucketRole.of(bucket, access);
        }
    }

    @Override
    public void close() {
        client.close();
    }

    private ProvisionedBucket issue(
            StoreCall call, BucketName bucket, BucketOwner owner, Access access, Set<String> publishedKeys) {
        if (access.mode() == AccessMode.NONE) {
            return new ProvisionedBucket(parameters.connection(bucket, false), Credentials.NONE);
        }
        Credentials credentials = principals.issue(call, owner, bucket, access, publishedKeys);
        return new ProvisionedBucket(
                parameters.connection(bucket, parameters.principalKeys() == GcsParameters.KeyKind.HMAC),
                credentials,
                Map.of("principal", principals.email(owner)));
    }

    private BucketOwnership ownership() {
        return new BucketOwnership(buckets, contents, principals);
    }

    private BucketSettings settings() {
        return new BucketSettings(buckets, principals.bindings());
    }

    private BucketState requireOwned(StoreCall call, BucketName bucket, BucketOwner owner) {
        BucketState found = buckets.require(call, bucket);
        OwnershipConflict.requireOwned(bucket, found.tags(), owner);
        return found;
    }
}
