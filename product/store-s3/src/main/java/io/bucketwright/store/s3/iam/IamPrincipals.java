package io.bucketwright.store.s3.iam;

import io.bucketwright.store.MissingPart;
import io.bucketwright.store.StoreCall;
import io.bucketwright.store.access.Access;
import io.bucketwright.store.access.BucketName;
import io.bucketwright.store.access.BucketOwner;
import io.bucketwright.store.access.ClaimIdentity;
import io.bucketwright.store.access.OwnershipTags;
import io.bucketwright.store.connection.Credentials;
import io.bucketwright.store.connection.SecretValue;
import io.bucketwright.store.errors.Absence;
import io.bucketwright.store.errors.StoreException.Denied;
import io.bucketwright.store.errors.StoreException.Invalid;
import io.bucketwright.store.errors.StoreException.NotEmpty;
import io.bucketwright.store.errors.StoreException.NotFound;
import io.bucketwright.store.errors.StoreException.Taken;
import io.bucketwright.store.ownership.UnprovenPrincipal;
import io.bucketwright.store.s3.client.IamParameters;
import io.bucketwright.store.s3.client.StoreRequest;
import io.bucketwright.store.s3.identity.AccessPolicy;
import io.bucketwright.store.s3.identity.Principals;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import software.amazon.awssdk.services.iam.IamClient;
import software.amazon.awssdk.services.iam.model.AccessKey;
import software.amazon.awssdk.services.iam.model.AccessKeyMetadata;
import software.amazon.awssdk.services.iam.model.StatusType;
import software.amazon.awssdk.services.iam.model.Tag;

/**
 * The principals of a store and their access keys, as users of the AWS IAM API, each with one inline policy. Managed
 * policies are not used: not every store supports them, and they would have to be deleted separately. A principal has at
 * most two keys and access to one bucket. All methods are idempotent.
 */
record IamPrincipals(IamClient iam, IamParameters parameters, String kmsKey, KeyPropagation propagation)
        implements Principals {

    private static final String POLICY = "bucketwright";
    private static final int MAX_KEYS = 2;

    @Override
    public void check(StoreCall call, BucketName bucket, BucketOwner owner) {
        boolean _ = exists(call, owner);
    }

    @Override
    public Set<MissingPart> missing(StoreCall call, BucketName bucket, BucketOwner owner, Set<String> keys) {
        if (tags(call, owner).filter(found -> found.isOwnedBy(owner)).isEmpty()) {
            return Set.of(MissingPart.PRINCIPAL);
        }
        try {
            List<String> policies = StoreRequest.send(
                            call,
                            "list the policies of " + owner.principal(),
                            () -> iam.listUserPolicies(request -> request.userName(name(owner))))
                    .policyNames();
            if (!policies.contains(POLICY)) {
                return Set.of(MissingPart.ACCESS);
            }
            Set<String> listed = keys.isEmpty()
                    ? Set.of()
                    : keys(call, owner).stream()
                            .map(AccessKeyMetadata::accessKeyId)
                            .collect(Collectors.toSet());
            return listed.containsAll(keys) ? Set.of() : Set.of(MissingPart.KEY);
        } catch (NotFound noUser) {
            return Set.of(MissingPart.PRINCIPAL);
        }
    }

    @Override
    public Credentials.AccessKey issue(
            StoreCall call, BucketName bucket, BucketOwner owner, Access access, Set<String> publishedKeys) {
        ensure(call, bucket, owner, access);
        return addKey(call, bucket, owner, publishedKeys);
    }

    void ensure(StoreCall call, BucketName bucket, BucketOwner owner, Access access) {
        String document = document(bucket, access);
        if (!exists(call, owner)) {
            create(call, owner);
        } else if (!parameters.boundary().isEmpty()) {
            putBoundary(call, owner);
        }
        putPolicy(call, owner, document);
    }

    @Override
    public void setAccess(StoreCall call, BucketName bucket, BucketOwner owner, Access access) {
        String document = document(bucket, access);
        require(call, owner);
        putPolicy(call, owner, document);
    }

    private Credentials.AccessKey addKey(
            StoreCall call, BucketName bucket, BucketOwner owner, Set<String> publishedKeys) {
        require(call, owner);
        List<String> kept = deleteOthers(call, owner, publishedKeys);
        if (kept.size() >= MAX_KEYS) {
            throw new Invalid(
                    "the keys " + kept + " of " + owner.principal() + " are both published; retire one of them first");
        }
        AccessKey key = StoreRequest.send(
                call,
                "create an access key for " + owner.principal(),
                () -> iam.createAccessKey(request -> request.userName(name(owner)))
                        .accessKey());
        SecretValue secret = SecretValue.of(key.secretAccessKey());
        propagation.await(call, bucket, SecretValue.of(key.accessKeyId()), secret);
        return new Credentials.AccessKey(key.accessKeyId(), secret);
    }

    @Override
    public void keepKeys(StoreCall call, BucketName bucket, BucketOwner owner, Set<String> keptKeys) {
        require(call, owner);
        deleteOthers(call, owner, keptKeys);
    }

    @Override
    public void setActive(StoreCall call, BucketName bucket, BucketOwner owner, boolean active) {
        if (!active && !exists(call, owner)) {
            return;
        }
        require(call, owner);
        StatusType wanted = active ? StatusType.ACTIVE : StatusType.INACTIVE;
        for (AccessKeyMetadata key : keys(call, owner)) {
            if (key.status() != wanted) {
                StoreRequest.send(
                        call,
                        (active ? "activate" : "deactivate") + " a key of " + owner.principal(),
                        () -> iam.updateAccessKey(request -> request.userName(name(owner))
                                .accessKeyId(key.accessKeyId())
                                .status(wanted)));
            }
        }
    }

    @Override
    public void delete(StoreCall call, BucketName bucket, BucketOwner owner, Set<String> keys) {
        Optional<OwnershipTags> tags = tags(call, owner);
        if (tags.isEmpty() || tags.get().isOwnedInAnotherCluster(owner)) {
            return;
        }
        if (!tags.get().isOwnedBy(owner)) {
            keys.forEach(id -> deleteKey(call, owner, id));
            throw UnprovenPrincipal.notDeleted("user " + owner.principal(), keys);
        }
        // Keys first: without them there is no access, even if a later request fails.
        deleteOthers(call, owner, Set.of());
        Absence.ignore(() -> StoreRequest.send(
                call,
                "delete the policy of " + owner.principal(),
                () -> iam.deleteUserPolicy(
                        request -> request.userName(name(owner)).policyName(POLICY))));
        try {
            deleteUser(call, owner);
        } catch (NotEmpty attached) {
            new AttachedEntities(iam, name(owner)).remove(call);
            deleteDetachedUser(call, owner);
        }
    }

    private void deleteDetachedUser(StoreCall call, BucketOwner owner) {
        try {
            deleteUser(call, owner);
        } catch (NotEmpty attached) {
            throw new Denied(
                    attached.getMessage() + " Remove what is attached to the user, and the deletion continues.",
                    attached);
        }
    }

    private void deleteUser(StoreCall call, BucketOwner owner) {
        Absence.ignore(() -> StoreRequest.send(
                call,
                "delete the user " + owner.principal(),
                () -> iam.deleteUser(request -> request.userName(name(owner)))));
    }

    @Override
    public void close() {
        iam.close();
    }

    /**
     * Whether the owner's principal exists.
     *
     * @throws Taken if a principal of that name exists and is not tagged with this owner
     */
    private boolean exists(StoreCall call, BucketOwner owner) {
        Optional<OwnershipTags> tags = tags(call, owner);
        if (tags.isPresent() && !tags.get().isOwnedBy(owner)) {
            throw new Taken("The user " + owner.principal() + " exists and is not owned by this claim.");
        }
        return tags.isPresent();
    }

    /** The tags of a user with the name of the owner's principal; empty if there is none. */
    private Optional<OwnershipTags> tags(StoreCall call, BucketOwner owner) {
        String action = "read the tags of " + owner.principal();
        return Absence.toEmpty(() -> StoreRequest.send(
                        call, action, () -> iam.listUserTags(request -> request.userName(name(owner)))))
                .map(response -> StoreRequest.list(action, response.hasTags(), response.tags()).stream()
                        .collect(Collectors.toMap(Tag::key, Tag::value)))
                .map(OwnershipTags::read);
    }

    private void require(StoreCall call, BucketOwner owner) {
        if (!exists(call, owner)) {
            throw new NotFound("The user " + owner.principal() + " does not exist.");
        }
    }

    private void create(StoreCall call, BucketOwner owner) {
        List<Tag> tags = new OwnershipTags.Owned(owner, ClaimIdentity.NONE)
                .tags().entrySet().stream()
                        .map(tag -> Tag.builder()
                                .key(tag.getKey())
                                .value(tag.getValue())
                                .build())
                        .toList();
        try {
            StoreRequest.send(
                    call,
                    "create the user " + owner.principal(),
                    () -> iam.createUser(request -> request.userName(name(owner))
                            .path(parameters.userPath())
                            .permissionsBoundary(parameters.boundary().isEmpty() ? null : parameters.boundary())
                            .tags(tags)));
        } catch (Taken createdMeanwhile) {
            require(call, owner);
        }
    }

    /** The user may be older than the boundary in the class. */
    private void putBoundary(StoreCall call, BucketOwner owner) {
        StoreRequest.send(
                call,
                "set the permissions boundary of " + owner.principal(),
                () -> iam.putUserPermissionsBoundary(
                        request -> request.userName(name(owner)).permissionsBoundary(parameters.boundary())));
    }

    @Override
    public boolean deniesOtherAccounts() {
        return parameters.onAws();
    }

    private String document(BucketName bucket, Access access) {
        return AccessPolicy.document(parameters.partition(), bucket, access, kmsKey, deniesOtherAccounts());
    }

    private void putPolicy(StoreCall call, BucketOwner owner, String document) {
        StoreRequest.send(
                call,
                "set the policy of " + owner.principal(),
                () -> iam.putUserPolicy(request ->
                        request.userName(name(owner)).policyName(POLICY).policyDocument(document)));
    }

    private List<String> deleteOthers(StoreCall call, BucketOwner owner, Set<String> wanted) {
        List<String> ids =
                keys(call, owner).stream().map(AccessKeyMetadata::accessKeyId).toList();
        for (String id : ids) {
            if (!wanted.contains(id)) {
                deleteKey(call, owner, id);
            }
        }
        return ids.stream().filter(wanted::contains).toList();
    }

    private void deleteKey(StoreCall call, BucketOwner owner, String id) {
        Absence.ignore(() -> StoreRequest.send(
                call,
                "delete a key of " + owner.principal(),
                () -> iam.deleteAccessKey(
                        request -> request.userName(name(owner)).accessKeyId(id))));
    }

    private List<AccessKeyMetadata> keys(StoreCall call, BucketOwner owner) {
        String action = "list the keys of " + owner.principal();
        return Absence.toEmpty(() -> StoreRequest.send(
                        call, action, () -> iam.listAccessKeys(request -> request.userName(name(owner)))))
                .map(keys -> StoreRequest.list(action, keys.hasAccessKeyMetadata(), keys.accessKeyMetadata()))
                .orElse(List.of());
    }

    private static String name(BucketOwner owner) {
        return owner.principal().text();
    }
}
