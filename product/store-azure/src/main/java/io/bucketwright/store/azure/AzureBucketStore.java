package io.bucketwright.store.azure;

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
import io.bucketwright.store.azure.PolicyPrincipals.Issued;
import io.bucketwright.store.connection.Credentials;
import io.bucketwright.store.connection.ProvisionedBucket;
import io.bucketwright.store.errors.Absence;
import io.bucketwright.store.errors.InputText;
import io.bucketwright.store.errors.StoreException.Invalid;
import io.bucketwright.store.errors.StoreException.NotFound;
import io.bucketwright.store.errors.StoreException.Taken;
import io.bucketwright.store.errors.StoreException.Unsupported;
import io.bucketwright.store.options.BucketOption.AnonymousAccess;
import io.bucketwright.store.options.BucketOption.Tags;
import io.bucketwright.store.options.BucketOptions;
import io.bucketwright.store.options.Capability;
import io.bucketwright.store.ownership.OwnershipChange;
import io.bucketwright.store.ownership.OwnershipChange.NewTags;
import io.bucketwright.store.ownership.OwnershipConflict;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;

/** Combines containers and their principals. After a crash between two requests, the next call continues. */
record AzureBucketStore(
        AzureParameters parameters, Containers containers, ContainerContents contents, PolicyPrincipals principals)
        implements CompleteStore {

    private static final Set<Capability> SETTINGS = Set.of(
            Capability.ACCESS, Capability.ACTIONS, Capability.WRITE_ONLY, Capability.TAGS, Capability.ANONYMOUS_ACCESS);

    /** Stricter than the rules of S3. */
    private static final Pattern NAME = Pattern.compile("[a-z0-9]+(-[a-z0-9]+)*");

    @Override
    public Set<Capability> supportedOptions() {
        return SETTINGS;
    }

    @Override
    public boolean offersTls() {
        return parameters.publicEndpoint().secure();
    }

    @Override
    public void check(StoreCall call, BucketName bucket, BucketOwner owner) {
        checkName(bucket);
        Optional<OwnershipTags> _ = containers.ownership(call, bucket);
    }

    @Override
    public ProvisionedBucket provision(StoreCall call, ProvisionRequest request) {
        BucketName bucket = request.bucket();
        checkName(bucket);
        check(request.options());
        boolean withPrincipal = request.access().mode() != AccessMode.NONE;
        if (withPrincipal) {
            PolicyPrincipals.permission(request.access());
        }
        boolean created = create(call, request);
        boolean opens = publicAccess(request.options()).isPresent();
        if (created && !withPrincipal && !opens) {
            return new ProvisionedBucket(parameters.connection(bucket), Credentials.NONE);
        }
        return containers.change(call, bucket, request.owner(), lease -> {
            ContainerAcl found = created
                    ? ContainerAcl.CLOSED
                    : new ContainerOwnership(containers, principals).accept(call, lease, request);
            if (!created) {
                applyTags(call, lease, request.options(), Set.of());
            }
            ContainerAcl acl =
                    publicAccess(request.options()).map(found::withPublicAccess).orElse(found);
            if (!withPrincipal) {
                putAcl(call, lease, found, acl);
                return new ProvisionedBucket(parameters.connection(bucket), Credentials.NONE);
            }
            Issued issued = principals.issue(acl, bucket, request.owner(), request.access(), request.publishedKeys());
            containers.putAcl(call, lease, issued.acl());
            return provisioned(bucket, issued);
        });
    }

    /** Whether the container is new. */
    private boolean create(StoreCall call, ProvisionRequest request) {
        Map<String, String> tags = new TreeMap<>();
        request.options().find(Tags.class).ifPresent(wanted -> tags.putAll(wanted.tags()));
        OwnershipTags ownership = request.ownership();
        try {
            containers.create(call, request.bucket(), ownership.mergedInto(tags));
            return true;
        } catch (Taken exists) {
            return false;
        }
    }

    @Override
    public ProvisionedBucket grant(StoreCall call, GrantRequest request) {
        BucketName bucket = request.bucket();
        checkName(bucket);
        if (request.access().mode() == AccessMode.NONE) {
            requireOwnership(call, bucket);
            return new ProvisionedBucket(parameters.connection(bucket), Credentials.NONE);
        }
        PolicyPrincipals.permission(request.access());
        return containers.change(call, bucket, request.owner(), lease -> {
            Issued issued = principals.issue(
                    containers.acl(call, bucket), bucket, request.owner(), request.access(), request.publishedKeys());
            containers.putAcl(call, lease, issued.acl());
            return provisioned(bucket, issued);
        });
    }

    @Override
    public Progress delete(StoreCall call, DeleteRequest request) {
        BucketOwner owner = request.owner();
        Absence.ignore(() -> containers.change(call, request.bucket(), owner, lease -> {
            OwnershipTags tags = requireOwnership(call, request.bucket());
            if (!tags.isReclaimableBy(owner, Reclaim.DELETE)) {
                changeAcl(call, lease, acl -> principals.delete(acl, owner));
                throw OwnershipConflict.notReclaimable(request.bucket(), tags, owner);
            }
            switch (request.onNotEmpty()) {
                case BLOCK -> new EmptyContainerDeletion(containers, contents).delete(call, lease);
                case PURGE -> containers.delete(call, lease);
            }
            return true;
        }));
        return new Progress.Done();
    }

    @Override
    public void revoke(StoreCall call, BucketName bucket, BucketOwner owner, Set<String> keys) {
        // The id of a policy names its owner, and a token names that id: a policy that somebody renamed gives no
        // access.
        Absence.ignore(() -> change(call, bucket, owner, acl -> principals.delete(acl, owner)));
    }

    @Override
    public void retire(StoreCall call, BucketName bucket, BucketOwner owner, Set<String> keptKeys) {
        change(call, bucket, owner, acl -> principals.retire(acl, bucket, owner, keptKeys));
    }

    @Override
    public Progress erase(StoreCall call, BucketName bucket, BucketOwner owner) {
        OwnershipConflict.requireReclaimable(bucket, requireOwnership(call, bucket), owner, Reclaim.ERASE);
        Progress progress = contents.deleteSlice(call, bucket);
        if (progress instanceof Progress.Done) {
            contents.requireUnrestorable(call, bucket);
        }
        return progress;
    }

    @Override
    public void suspend(StoreCall call, BucketName bucket, BucketOwner owner) {
        Absence.ignore(() -> change(call, bucket, owner, acl -> principals.suspend(acl, owner)));
    }

    @Override
    public void unsuspend(StoreCall call, BucketName bucket, BucketOwner owner) {
        change(call, bucket, owner, acl -> principals.unsuspend(acl, bucket, owner));
    }

    @Override
    public void update(StoreCall call, UpdateRequest request) {
        BucketName bucket = request.bucket();
        check(request.options());
        containers.change(call, bucket, request.owner(), lease -> {
            if (request.changesBucket()) {
                OwnershipConflict.requireOwned(bucket, requireOwnership(call, bucket), request.owner());
                applyTags(call, lease, request.options(), request.removed().tags());
            }
            return changeAcl(call, lease, acl -> {
                ContainerAcl closed = request.removed().kinds().contains(Capability.ANONYMOUS_ACCESS)
                        ? acl.withoutOwnPublicAccess()
                        : acl;
                ContainerAcl changed = publicAccess(request.options())
                        .map(closed::withPublicAccess)
                        .orElse(closed);
                return request.access().mode() == AccessMode.NONE
                        ? changed
                        : principals.setAccess(changed, bucket, request.owner(), request.access());
            });
        });
    }

    @Override
    public Usage usage(StoreCall call, BucketName bucket) {
        return contents.usage(call, bucket);
    }

    @Override
    public void release(StoreCall call, BucketName bucket, BucketOwner owner) {
        Absence.ignore(() -> containers.change(call, bucket, owner, lease -> {
            Map<String, String> all = containers.tags(call, bucket);
            if (OwnershipChange.release(bucket, owner, OwnershipTags.read(all)) instanceof NewTags change) {
                containers.putTags(call, lease, change.tags().mergedInto(all));
            }
            return true;
        }));
    }

    @Override
    public void adopt(StoreCall call, AdoptRequest request) {
        checkName(request.bucket());
        containers.change(call, request.bucket(), request.owner(), lease -> {
            new ContainerOwnership(containers, principals).adopt(call, lease, request);
            return true;
        });
    }

    @Override
    public void transfer(StoreCall call, TransferRequest request) {
        BucketOwner administrator = new BucketOwner(request.toCluster(), "transfer");
        containers.change(call, request.bucket(), administrator, lease -> {
            new ContainerOwnership(containers, principals).transfer(call, lease, request);
            return true;
        });
    }

    @Override
    public void checkCluster(StoreCall call, BucketName bucket, BucketOwner owner) {
        containers.ownership(call, bucket).ifPresent(tags -> OwnershipConflict.checkCluster(bucket, tags, owner));
    }

    @Override
    public BucketPage listBuckets(StoreCall call, String from) {
        return containers.list(call, from);
    }

    @Override
    public Optional<ListedBucket> findBucket(StoreCall call, BucketName bucket) {
        return containers.ownership(call, bucket).map(tags -> new ListedBucket(bucket.text(), tags, Optional.empty()));
    }

    @Override
    public Set<MissingPart> verify(StoreCall call, BucketName bucket, BucketOwner owner, Set<String> keys) {
        return Absence.toEmpty(() -> MissingPart.of(
                        requireOwnership(call, bucket),
                        owner,
                        principals.missing(containers.acl(call, bucket), owner, keys)))
                .orElse(Set.of(MissingPart.BUCKET));
    }

    @Override
    public void close() {
        containers.close();
    }

    private void change(StoreCall call, BucketName bucket, BucketOwner owner, UnaryOperator<ContainerAcl> edit) {
        containers.change(call, bucket, owner, lease -> changeAcl(call, lease, edit));
    }

    private boolean changeAcl(StoreCall call, ContainerLease lease, UnaryOperator<ContainerAcl> edit) {
        ContainerAcl before = containers.acl(call, lease.bucket());
        return putAcl(call, lease, before, edit.apply(before));
    }

    private boolean putAcl(StoreCall call, ContainerLease lease, ContainerAcl before, ContainerAcl after) {
        boolean changes = !after.equals(before);
        if (changes) {
            containers.putAcl(call, lease, after);
        }
        return changes;
    }

    /** What the options let anonymous clients do; empty if no option sets it. */
    private static Optional<String> publicAccess(BucketOptions options) {
        return options.find(AnonymousAccess.class).map(access -> switch (access) {
            case PRIVATE -> ContainerAcl.PRIVATE;
            case READ_ONLY -> ContainerAcl.LIST_AND_GET;
            case WRITE_ONLY, READ_WRITE ->
                throw new Unsupported("Azure Blob Storage does not let anonymous clients write: anonymousAccess can be"
                        + " private or ro.");
        });
    }

    private void applyTags(StoreCall call, ContainerLease lease, BucketOptions options, Set<String> removed) {
        Map<String, String> wanted = options.find(Tags.class).map(Tags::tags).orElse(Map.of());
        if (wanted.isEmpty() && removed.isEmpty()) {
            return;
        }
        Map<String, String> before = containers.tags(call, lease.bucket());
        Map<String, String> after = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
        after.putAll(before);
        Set<String> removedKeys = new TreeSet<>(String.CASE_INSENSITIVE_ORDER);
        removedKeys.addAll(removed);
        after.keySet().removeIf(key -> removedKeys.contains(key) && !key.startsWith(Tags.RESERVED));
        after.putAll(wanted);
        if (!after.equals(before)) {
            containers.putTags(call, lease, after);
        }
    }

    private ProvisionedBucket provisioned(BucketName bucket, Issued issued) {
        Credentials credentials = parameters.credentials(issued.policy(), issued.token());
        return new ProvisionedBucket(parameters.connection(bucket), credentials, Map.of("policy", issued.policy()));
    }

    private OwnershipTags requireOwnership(StoreCall call, BucketName bucket) {
        return containers
                .ownership(call, bucket)
                .orElseThrow(() -> new NotFound("The container " + bucket + " does not exist."));
    }

    private static void checkName(BucketName bucket) {
        if (!NAME.matcher(bucket.text()).matches()) {
            throw new Invalid(
                    "bucketName " + InputText.quote(bucket.text())
                            + " must be lower case letters, digits and single hyphens: it becomes the name of a container of Azure");
        }
    }

    /** Checks options before anything is created or changed. */
    private static void check(BucketOptions options) {
        options.requireAll(SETTINGS);
        Optional<String> _ = publicAccess(options);
        options.find(Tags.class).ifPresent(MetadataNames::check);
    }
}
