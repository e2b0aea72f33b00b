package io.bucketwright.store.s3.minio;

import com.fasterxml.jackson.databind.JsonNode;
import io.bucketwright.store.MissingPart;
import io.bucketwright.store.StoreCall;
import io.bucketwright.store.access.Access;
import io.bucketwright.store.access.BucketName;
import io.bucketwright.store.access.BucketOwner;
import io.bucketwright.store.connection.Credentials;
import io.bucketwright.store.errors.StoreException.Invalid;
import io.bucketwright.store.errors.StoreException.NotFound;
import io.bucketwright.store.errors.StoreException.Taken;
import io.bucketwright.store.ownership.UnprovenPrincipal;
import io.bucketwright.store.s3.identity.Principals;
import java.security.SecureRandom;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The principals of a MinIO server: users, each with one policy. Users have no tags, therefore the name of the policy records
 * the owner. Nobody gets the secret of a user: the keys are service accounts of it, which have the policy of the user and
 * none of their own, so no change of a key can widen its access. No id of a key is used twice, so that a deletion which MinIO
 * carries out late cannot end a later key.
 */
record MinioPrincipals(MinioAdmin admin, SecureRandom random) implements Principals {

    private static final int MAX_KEYS = 2;

    /** How many deleted keys stay in the record: one for each attempt to issue one, as long as a late request may land. */
    private static final int MAX_UNPUBLISHED = 5;

    /** MinIO limits the ids of service accounts to 20 characters. */
    private static final int KEY_ID_LENGTH = 20;

    private static final String KEY_ID_CHARACTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";

    @Override
    public void check(StoreCall call, BucketName bucket, BucketOwner owner) {
        Optional<MinioUser> _ = find(call, owner);
    }

    @Override
    public Credentials.AccessKey issue(
            StoreCall call, BucketName bucket, BucketOwner owner, Access access, Set<String> publishedKeys) {
        String id = newKeyId();
        Optional<MinioUser> user = find(call, owner);
        // With the user, MinIO deletes its keys.
        Set<String> recorded = user.isPresent() ? recordedKeys(call, owner) : Set.of();
        if (user.isPresent() && publishedKeys.size() >= MAX_KEYS) {
            throw new Invalid("the keys " + List.copyOf(publishedKeys) + " of " + owner.principal()
                    + " are both published; retire one of them first");
        }
        // What a late request creates of those that are deleted now ends with the rotation.
        List<String> unpublished =
                recorded.stream().filter(key -> !publishedKeys.contains(key)).toList();
        Set<String> keys = new LinkedHashSet<>(
                unpublished.subList(Math.max(0, unpublished.size() - MAX_UNPUBLISHED), unpublished.size()));
        keys.addAll(publishedKeys);
        keys.add(id);
        create(call, owner, user, PrincipalPolicy.document(bucket, access, keys));
        remove(call, owner, recorded, publishedKeys);
        return admin.addServiceAccount(call, name(owner), id);
    }

    @Override
    public void setAccess(StoreCall call, BucketName bucket, BucketOwner owner, Access access) {
        MinioUser user = require(call, owner);
        admin.putPolicy(call, policy(owner), PrincipalPolicy.document(bucket, access, recordedKeys(call, owner)));
        attach(call, owner, user);
    }

    @Override
    public void keepKeys(StoreCall call, BucketName bucket, BucketOwner owner, Set<String> keptKeys) {
        MinioUser _ = require(call, owner);
        Optional<JsonNode> document = admin.policy(call, policy(owner));
        Set<String> recorded = document.map(PrincipalPolicy::keys).orElse(Set.of());
        remove(call, owner, recorded, keptKeys);
        if (!keptKeys.containsAll(recorded)) {
            admin.putPolicy(call, policy(owner), PrincipalPolicy.withKeys(document.orElseThrow(), keptKeys));
        }
    }

    /** The keys of a disabled user have no access. */
    @Override
    public void setActive(StoreCall call, BucketName bucket, BucketOwner owner, boolean active) {
        Optional<MinioUser> user = find(call, owner);
        if (user.isEmpty() && !active) {
            return;
        }
        if (user.orElseThrow(() -> absent(owner)).enabled() != active) {
            admin.setEnabled(call, name(owner), active);
        }
    }

    @Override
    public void delete(StoreCall call, BucketName bucket, BucketOwner owner, Set<String> keys) {
        Optional<MinioUser> user = admin.user(call, name(owner));
        if (user.isPresent() && !isOwned(user.get(), owner)) {
            Set<String> own = new HashSet<>(recordedKeys(call, owner));
            own.addAll(keys);
            remove(call, owner, own, Set.of());
            if (isOwnedInAnotherCluster(user.get(), owner)) {
                return;
            }
            throw UnprovenPrincipal.notDeleted("user " + owner.principal(), own);
        }
        if (user.isPresent()) {
            // Ends all access: MinIO deletes the keys of the user too.
            admin.removeUser(call, name(owner));
        }
        // Also if the user does not exist: the process may have crashed after it deleted the user.
        admin.removePolicy(call, policy(owner));
    }

    @Override
    public void close() {
        admin.close();
    }

    private void create(StoreCall call, BucketOwner owner, Optional<MinioUser> found, String document) {
        admin.putPolicy(call, policy(owner), document);
        if (found.isEmpty() || found.get().isUnfinished()) {
            admin.putUser(call, name(owner));
            admin.attachPolicy(call, name(owner), policy(owner));
            return;
        }
        if (!found.get().enabled()) {
            admin.setEnabled(call, name(owner), true);
        }
        attach(call, owner, found.get());
    }

    /** Others may have attached further policies, or replaced this one. */
    private void attach(StoreCall call, BucketOwner owner, MinioUser user) {
        if (!user.policies().equals(Set.of(policy(owner)))) {
            admin.attachPolicy(call, name(owner), policy(owner));
        }
    }

    private Set<String> recordedKeys(StoreCall call, BucketOwner owner) {
        return admin.policy(call, policy(owner)).map(PrincipalPolicy::keys).orElse(Set.of());
    }

    private void remove(StoreCall call, BucketOwner owner, Set<String> ids, Set<String> kept) {
        ids.stream().filter(id -> !kept.contains(id)).forEach(id -> admin.removeServiceAccount(call, name(owner), id));
    }

    private String newKeyId() {
        return random.ints(KEY_ID_LENGTH, 0, KEY_ID_CHARACTERS.length())
                .mapToObj(KEY_ID_CHARACTERS::charAt)
                .map(String::valueOf)
                .collect(Collectors.joining());
    }

    @Override
    public Set<MissingPart> missing(StoreCall call, BucketName bucket, BucketOwner owner, Set<String> keys) {
        Optional<MinioUser> user = admin.user(call, name(owner));
        if (user.isEmpty()) {
            return Set.of(MissingPart.PRINCIPAL);
        }
        if (!user.get().policies().contains(policy(owner))) {
            return Set.of(MissingPart.ACCESS);
        }
        return keys.stream().allMatch(id -> admin.serviceAccountExists(call, name(owner), id))
                ? Set.of()
                : Set.of(MissingPart.KEY);
    }

    private MinioUser require(StoreCall call, BucketOwner owner) {
        return find(call, owner).orElseThrow(() -> absent(owner));
    }

    private static NotFound absent(BucketOwner owner) {
        return new NotFound("The user " + owner.principal() + " does not exist.");
    }

    /**
     * The owner's user; empty if it does not exist.
     *
     * @throws Taken if a user of that name exists and its policy is not the one of this owner
     */
    private Optional<MinioUser> find(StoreCall call, BucketOwner owner) {
        Optional<MinioUser> user = admin.user(call, name(owner));
        if (user.isPresent() && !isOwned(user.get(), owner)) {
            throw new Taken("The user " + owner.principal() + " exists and is not owned by this claim.");
        }
        return user;
    }

    private static boolean isOwned(MinioUser user, BucketOwner owner) {
        return user.isUnfinished() || user.policies().contains(policy(owner));
    }

    /** Whether its policies name the same uid in another cluster, and nothing that only looks like it. */
    private static boolean isOwnedInAnotherCluster(MinioUser user, BucketOwner owner) {
        String prefix = owner.principal() + "@";
        return user.policies().stream()
                .filter(name -> name.startsWith(prefix))
                .flatMap(name -> BucketOwner.parse(name.substring(prefix.length()) + "/" + owner.uid()).stream())
                .anyMatch(owner::isSameInAnotherCluster);
    }

    private static String name(BucketOwner owner) {
        return owner.principal().text();
    }

    /** Owners contain no {@code @}. */
    private static String policy(BucketOwner owner) {
        return owner.principal() + "@" + owner.clusterId();
    }
}
