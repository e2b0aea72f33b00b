package io.bucketwright.store.s3;

import io.bucketwright.store.access.Access;
import io.bucketwright.store.access.BucketName;
import io.bucketwright.store.StoreCall;
import io.bucketwright.store.connection.Credentials;
import io.bucketwright.store.access.BucketOwner;
import io.bucketwright.store.connection.SecretValue;
import io.bucketwright.store.errors.StoreException.Invalid;
import io.bucketwright.store.errors.StoreException.NotFound;
import io.bucketwright.store.errors.StoreException.Taken;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import software.amazon.awssdk.services.iam.IamClient;
import software.amazon.awssdk.services.iam.model.AccessKey;
import software.amazon.awssdk.services.iam.model.AccessKeyMetadata;
import software.amazon.awssdk.services.iam.model.StatusType;
import software.amazon.awssdk.services.iam.model.Tag;

/**
 * Principals as users of the AWS IAM API, each with one inline policy. Inline, because a policy of its own would be one
 * more thing to leave behind, and not every store has them.
 */
final class IamIdentities implements Identities {

    private static final String POLICY = "bucketwright";
    private static final int MOST_KEYS = 2;

    private final IamClient iam;

    IamIdentities(IamClient iam) {
        this.iam = iam;
    }

    @Override
    public void ensure(StoreCall call, BucketOwner owner, BucketName bucket, Access access) {
        String document = AccessPolicy.document(bucket, access);
        if (find(call, owner).isEmpty()) {
            create(call, owner);
        }
        put(call, owner, document);
    }

    @Override
    public void limit(StoreCall call, BucketOwner owner, BucketName bucket, Access access) {
        String document = AccessPolicy.document(bucket, access);
        require(call, owner);
        put(call, owner, document);
    }

    @Override
    public Credentials.AccessKey addKey(StoreCall call, BucketOwner owner, Set<String> publishedKeys) {
        require(call, owner);
        List<String> kept = keep(call, owner, publishedKeys);
        if (kept.size() >= MOST_KEYS) {
            throw new Invalid("the keys " + kept + " of " + owner.principal() + " are both in use: retire one first");
        }
        AccessKey key = Exchange.send(
                call,
                "make a key for " + owner.principal(),
                limits -> iam.createAccessKey(
                                request -> request.userName(name(owner)).overrideConfiguration(limits))
                        .accessKey());
        return new Credentials.AccessKey(key.accessKeyId(), SecretValue.of(key.secretAccessKey()));
    }

    @Override
    public void keepKeys(StoreCall call, BucketOwner owner, Set<String> keptKeys) {
        require(call, owner);
        keep(call, owner, keptKeys);
    }

    @Override
    public void enable(StoreCall call, BucketOwner owner, boolean on) {
        if (!on && find(call, owner).isEmpty()) {
            return;
        }
        require(call, owner);
        StatusType wanted = on ? StatusType.ACTIVE : StatusType.INACTIVE;
        for (AccessKeyMetadata key : keys(call, owner)) {
            if (key.status() != wanted) {
                Exchange.send(
                        call,
                        "turn a key of " + owner.principal() + (on ? " on" : " off"),
                        limits -> iam.updateAccessKey(request -> request.userName(name(owner))
                                .accessKeyId(key.accessKeyId())
                                .status(wanted)
                                .overrideConfiguration(limits)));
            }
        }
    }

    @Override
    public void remove(StoreCall call, BucketOwner owner) {
        try {
            if (find(call, owner).isEmpty()) {
                return;
            }
        } catch (Taken somebodyElses) {
            return;
        }
        // Keys first: access ends with them, whatever happens to the rest.
        keep(call, owner, Set.of());
        ifThere(() -> Exchange.send(
                call,
                "delete the policy of " + owner.principal(),
                limits -> iam.deleteUserPolicy(request ->
                        request.userName(name(owner)).policyName(POLICY).overrideConfiguration(limits))));
        ifThere(() -> Exchange.send(
                call,
                "delete " + owner.principal(),
                limits ->
                        iam.deleteUser(request -> request.userName(name(owner)).overrideConfiguration(limits))));
    }

    @Override
    public void close() {
        iam.close();
    }

    /** The mark of the owner's principal, if it is there. Never another's: that is an error here already. */
    private Optional<Mark> find(StoreCall call, BucketOwner owner) {
        Map<String, String> tags;
        try {
            tags = Exchange.send(
                    call,
                    "find " + owner.principal(),
                    limits -> iam
                            .listUserTags(
                                    request -> request.userName(name(owner)).overrideConfiguration(limits))
                            .tags()
                            .stream()
                            .collect(Collectors.toMap(Tag::key, Tag::value)));
        } catch (NotFound gone) {
            return Optional.empty();
        }
        Mark mark = Mark.read(tags);
        if (!mark.equals(new Mark.Owned(owner))) {
            throw new Taken("The user " + owner.principal() + " is there and is not this claim's.");
        }
        return Optional.of(mark);
    }

    private void require(StoreCall call, BucketOwner owner) {
        if (find(call, owner).isEmpty()) {
            throw new NotFound("There is no user " + owner.principal() + ".");
        }
    }

    private void create(StoreCall call, BucketOwner owner) {
        List<Tag> tags = new Mark.Owned(owner)
                .tags().entrySet().stream()
                        .map(tag -> Tag.builder()
                                .key(tag.getKey())
                                .value(tag.getValue())
                                .build())
                        .toList();
        try {
            Exchange.send(
                    call,
                    "make " + owner.principal(),
                    limits -> iam.createUser(
                            request -> request.userName(name(owner)).tags(tags).overrideConfiguration(limits)));
        } catch (Taken madeMeanwhile) {
            require(call, owner);
        }
    }

    private void put(StoreCall call, BucketOwner owner, String document) {
        Exchange.send(
                call,
                "limit " + owner.principal(),
                limits -> iam.putUserPolicy(request -> request.userName(name(owner))
                        .policyName(POLICY)
                        .policyDocument(document)
                        .overrideConfiguration(limits)));
    }

    private List<String> keep(StoreCall call, BucketOwner owner, Set<String> wanted) {
        List<String> ids =
                keys(call, owner).stream().map(AccessKeyMetadata::accessKeyId).toList();
        for (String id : ids) {
            if (!wanted.contains(id)) {
                ifThere(() -> Exchange.send(
                        call,
                        "delete a key of " + owner.principal(),
                        limits -> iam.deleteAccessKey(request ->
                                request.userName(name(owner)).accessKeyId(id).overrideConfiguration(limits))));
            }
        }
        return ids.stream().filter(wanted::contains).toList();
    }

    private List<AccessKeyMetadata> keys(StoreCall call, BucketOwner owner) {
        try {
            return Exchange.send(
                    call,
                    "list the keys of " + owner.principal(),
                    limits -> iam.listAccessKeys(
                                    request -> request.userName(name(owner)).overrideConfiguration(limits))
                            .accessKeyMetadata());
        } catch (NotFound gone) {
            return List.of();
        }
    }

    private static void ifThere(Runnable deletion) {
        try {
            deletion.run();
        } catch (NotFound gone) {
            // As wanted.
        }
    }

    private static String name(BucketOwner owner) {
        return owner.principal().text();
    }
}
