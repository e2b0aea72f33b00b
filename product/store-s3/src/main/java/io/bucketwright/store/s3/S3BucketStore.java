package io.bucketwright.store.s3;

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
import io.bucketwright.store.ProvisionRequest.Naming;
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
import io.bucketwright.store.connection.Connection;
import io.bucketwright.store.connection.Credentials;
import io.bucketwright.store.connection.ProvisionedBucket;
import io.bucketwright.store.errors.StoreException.Denied;
import io.bucketwright.store.errors.StoreException.NotEmpty;
import io.bucketwright.store.errors.StoreException.Taken;
import io.bucketwright.store.options.BucketOption;
import io.bucketwright.store.options.BucketOption.OwningUser;
import io.bucketwright.store.options.BucketOption.Policy;
import io.bucketwright.store.options.BucketOption.Quota;
import io.bucketwright.store.options.BucketOptions;
import io.bucketwright.store.options.Capability;
import io.bucketwright.store.ownership.OwnershipChange;
import io.bucketwright.store.ownership.OwnershipChange.NewTags;
import io.bucketwright.store.ownership.OwnershipConflict;
import io.bucketwright.store.s3.client.S3Parameters;
import io.bucketwright.store.s3.identity.BucketClients;
import io.bucketwright.store.s3.identity.BucketQuotas;
import io.bucketwright.store.s3.identity.Identity;
import io.bucketwright.store.s3.identity.Principals;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * Combines {@link Buckets} and the store's {@link Identity}. After a crash between two requests, the next call continues.
 *
 * @param slice how long one call deletes objects
 */
record S3BucketStore(S3Parameters parameters, IdentitySource identity, Duration slice) implements CompleteStore {

    /** Everything but what is excluded, as long as the identity is not detected: a call checks that again. */
    @Override
    public Set<Capability> capabilities() {
        Set<Capability> capabilities = EnumSet.allOf(Capability.class);
        identity.known().ifPresent(known -> capabilities.removeAll(known.unsupported()));
        capabilities.removeAll(parameters.unsupported());
        if (identity.known().filter(known -> !known.clients().lists()).isPresent()) {
            capabilities.remove(Capability.LIST);
        }
        return Set.copyOf(capabilities);
    }

    @Override
    public void check(StoreCall call, BucketName bucket, BucketOwner owner) {
        BucketSession session = sessions(call)
                .findUsable(call, bucket)
                .orElseThrow(() -> new Taken("The bucket " + bucket
                        + " already exists and belongs to a user of the store that has no access key."));
        Optional<OwnershipTags> _ = session.buckets().ownership();
        principals(call).check(call, bucket, owner);
    }

    /** IAM of AWS is eventually consistent, and does not say how long that takes; S3 is seen to need seconds. */
    @Override
    public Duration accessEndsWithin() {
        return parameters.iam().onAws() ? Duration.ofMinutes(1) : Duration.ZERO;
    }

    @Override
    public boolean offersTls() {
        return parameters.publicEndpoint().secure();
    }

    @Override
    public ProvisionedBucket provision(StoreCall call, ProvisionRequest request) {
        check(call, request.owner(), request.options());
        principals(call).checkAccess(call, request.bucket(), request.access());
        BucketSession session = new BucketCreation(sessions(call), principals(call)).ensure(call, request);
        session.settings().encrypt();
        apply(call, session, request.bucket(), request.options());
        return issue(call, request.bucket(), request.owner(), request.access(), request.publishedKeys());
    }

    @Override
    public ProvisionedBucket grant(StoreCall call, GrantRequest request) {
        Buckets buckets = buckets(call, request.bucket());
        OwnershipTags tags = buckets.requireOwnership();
        if (tags instanceof OwnershipTags.Untagged && principals(call).deniesOtherAccounts()) {
            buckets.requireOwnAccount();
        }
        return issue(call, request.bucket(), request.owner(), request.access(), request.publishedKeys());
    }

    @Override
    public Progress delete(StoreCall call, DeleteRequest request) {
        BucketName bucket = request.bucket();
        BucketSession session = sessions(call).find(call, bucket);
        if (request.onNotEmpty() == OnNotEmpty.BLOCK) {
            requireEmpty(session, request);
        }
        // Before the bucket, so that nobody writes to a bucket that is being emptied or to a later one of the same
        // name.
        principals(call).delete(call, bucket, request.owner(), request.keys());
        // After the requests for the user: a claim that was created again may have got the bucket meanwhile.
        if (isOwned(call, session, request)) {
            if (request.onNotEmpty() == OnNotEmpty.PURGE
                    && session.contents().deleteSlice() instanceof Progress.More more) {
                return more;
            }
            // Deleting objects takes time too.
            if (request.onNotEmpty() != OnNotEmpty.PURGE || isOwned(call, session, request)) {
                session.buckets().delete();
            }
        }
        if (request.last()) {
            identity.get(call).clients().deleted(call, bucket, request.owner());
        }
        return new Progress.Done();
    }

    /** Only for an owner: to others it must not matter what a bucket contains. */
    private static void requireEmpty(BucketSession session, DeleteRequest request) {
        BucketName bucket = request.bucket();
        Optional<OwnershipTags> tags;
        try {
            tags = session.buckets().ownership();
        } catch (Taken ofAnotherAccount) {
            return;
        }
        boolean owned = tags.filter(found -> found.isReclaimableBy(request.owner(), Reclaim.DELETE))
                .isPresent();
        if (owned && !session.contents().isEmpty()) {
            throw new NotEmpty("The bucket " + bucket + " is not empty.");
        }
    }

    /**
     * Reads the ownership tags immediately before something is deleted; S3 cannot delete on a condition. False if the bucket
     * does not exist.
     *
     * @throws Taken if the bucket has another owner
     */
    private boolean isOwned(StoreCall call, BucketSession session, DeleteRequest request) {
        Optional<OwnershipTags> tags = session.buckets().ownership();
        tags.filter(found -> !isUnfinished(call, session, request, found))
                .ifPresent(found ->
                        OwnershipConflict.requireReclaimable(request.bucket(), found, request.owner(), Reclaim.DELETE));
        return tags.isPresent();
    }

    /** Whether a process created this bucket for its owner and crashed before it tagged it. */
    private boolean isUnfinished(StoreCall call, BucketSession session, DeleteRequest request, OwnershipTags tags) {
        return tags instanceof OwnershipTags.Untagged
                && (request.naming() == Naming.GENERATED
                        || sessions(call).isCreatedFor(call, request.bucket(), request.owner()))
                && session.contents().isEmpty();
    }

    @Override
    public void revoke(StoreCall call, BucketName bucket, BucketOwner owner, Set<String> keys) {
        principals(call).delete(call, bucket, owner, keys);
    }

    @Override
    public void retire(StoreCall call, BucketName bucket, BucketOwner owner, Set<String> keptKeys) {
        principals(call).keepKeys(call, bucket, owner, keptKeys);
    }

    @Override
    public Progress erase(StoreCall call, BucketName bucket, BucketOwner owner) {
        BucketSession session = sessions(call).find(call, bucket);
        OwnershipConflict.requireReclaimable(bucket, session.buckets().requireOwnership(), owner, Reclaim.ERASE);
        return session.contents().deleteSlice();
    }

    @Override
    public void suspend(StoreCall call, BucketName bucket, BucketOwner owner) {
        principals(call).setActive(call, bucket, owner, false);
    }

    @Override
    public void unsuspend(StoreCall call, BucketName bucket, BucketOwner owner) {
        principals(call).setActive(call, bucket, owner, true);
    }

    @Override
    public void update(StoreCall call, UpdateRequest request) {
        check(call, request.owner(), request.options());
        if (request.changesBucket()) {
            BucketSession session = sessions(call).find(call, request.bucket());
            OwnershipConflict.requireOwned(request.bucket(), session.buckets().requireOwnership(), request.owner());
            session.settings().remove(request.removed());
            apply(call, session, request.bucket(), request.options());
        }
        if (request.access().mode() != AccessMode.NONE) {
            principals(call).setAccess(call, request.bucket(), request.owner(), request.access());
        }
    }

    @Override
    public Usage usage(StoreCall call, BucketName bucket) {
        BucketClients clients = identity.get(call).clients();
        return clients.usage(call, bucket).orElseGet(() -> {
            Usage counted = buckets(call, bucket).usage();
            // An old measurement of the whole bucket says more than an exact count of its first objects.
            return counted.complete()
                    ? counted
                    : clients.measuredUsage(call, bucket)
                            .filter(measured -> measured.objects() > counted.objects())
                            .orElse(counted);
        });
    }

    @Override
    public void release(StoreCall call, BucketName bucket, BucketOwner owner) {
        Buckets buckets = buckets(call, bucket);
        buckets.ownership().ifPresent(tags -> {
            if (OwnershipChange.release(bucket, owner, tags) instanceof NewTags change) {
                buckets.setOwnership(change.tags());
            }
        });
    }

    @Override
    public void adopt(StoreCall call, AdoptRequest request) {
        new BucketAdoption(sessions(call).find(call, request.bucket()), principals(call)).adopt(call, request);
    }

    @Override
    public void transfer(StoreCall call, TransferRequest request) {
        new BucketAdoption(sessions(call).find(call, request.bucket()), principals(call)).transfer(call, request);
    }

    @Override
    public void checkCluster(StoreCall call, BucketName bucket, BucketOwner owner) {
        Optional<OwnershipTags> tags;
        try {
            tags = buckets(call, bucket).ownership();
        } catch (Denied | Taken ofAnotherAccount) {
            return;
        }
        tags.ifPresent(found -> OwnershipConflict.checkCluster(bucket, found, owner));
    }

    @Override
    public BucketPage listBuckets(StoreCall call, String from) {
        return new BucketListing(sessions(call)).list(call, from);
    }

    @Override
    public Optional<ListedBucket> findBucket(StoreCall call, BucketName bucket) {
        return new BucketListing(sessions(call)).find(call, bucket);
    }

    @Override
    public Set<MissingPart> verify(StoreCall call, BucketName bucket, BucketOwner owner, Set<String> keys) {
        try {
            return buckets(call, bucket)
                    .ownership()
                    .map(tags -> MissingPart.of(tags, owner, principals(call).missing(call, bucket, owner, keys)))
                    .orElse(Set.of(MissingPart.BUCKET));
        } catch (Taken ofAnotherAccountOrRegion) {
            // The bucket was deleted, and then somebody else created one of that name.
            return Set.of(MissingPart.BUCKET);
        }
    }

    /** Checks options before anything is created or changed. */
    private void check(StoreCall call, BucketOwner owner, BucketOptions options) {
        BucketQuotas quotas = identity.get(call).quotas();
        options.requireAll(capabilities());
        options.find(Quota.class).ifPresent(quotas::check);
        options.find(Policy.class)
                .filter(Policy::restricted)
                .ifPresent(policy -> TenantPolicy.check(policy.document(), owner.principal()));
    }

    @Override
    public void close() {
        identity.close();
    }

    private ProvisionedBucket issue(
            StoreCall call, BucketName bucket, BucketOwner owner, Access access, Set<String> publishedKeys) {
        Connection connection = parameters.connection(bucket);
        if (access.mode() == AccessMode.NONE) {
            return new ProvisionedBucket(connection, Credentials.NONE);
        }
        Credentials credentials = principals(call)
                .issue(call, bucket, owner, access, publishedKeys)
                .credentials();
        return new ProvisionedBucket(connection, credentials, state(owner));
    }

    private Map<String, String> state(BucketOwner owner) {
        Map<String, String> state = new TreeMap<>();
        state.put("principal", owner.principal().text());
        identity.detected().ifPresent(kind -> state.put("identity", kind));
        return state;
    }

    private Principals principals(StoreCall call) {
        return identity.get(call).principals();
    }

    private BucketSession.Factory sessions(StoreCall call) {
        return new BucketSession.Factory(identity.get(call), parameters, slice);
    }

    private Buckets buckets(StoreCall call, BucketName bucket) {
        return sessions(call).find(call, bucket).buckets();
    }

    private void apply(StoreCall call, BucketSession session, BucketName bucket, BucketOptions options) {
        options.find(OwningUser.class)
                .ifPresent(user -> identity.get(call).clients().requireOwner(call, bucket, user));
        for (BucketOption option : options.all()) {
            session.settings().apply(option);
        }
    }
}
