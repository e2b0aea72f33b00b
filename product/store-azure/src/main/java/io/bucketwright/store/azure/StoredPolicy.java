package io.bucketwright.store.azure;

import io.bucketwright.store.access.BucketOwner;
import io.bucketwright.store.access.TextDigest;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.Optional;

/**
 * A stored access policy of a container. Policies of other tools are kept as they are.
 *
 * @param id at most 64 characters
 * @param start empty if the token has it
 * @param expiry empty if the token has it
 * @param permission letters; empty if the token has them
 */
record StoredPolicy(String id, String start, String expiry, String permission) {

    /** What the ids of all policies of Bucketwright start with. */
    static final String PREFIX = "bw-";

    /** A token is valid until its policy is deleted: an application does not lose access because nobody rotated a key. */
    private static final String NEVER = "9999-12-31T00:00:00Z";

    /** An expired policy refuses its token, and keeps the permission for the time when it is enabled again. */
    private static final String SUSPENDED = "2000-01-01T00:00:00Z";

    /**
     * What the id of a policy ends with while its container is being deleted. A token names the id, so that it is refused, and
     * the rest of the policy is kept for the case that the container is not deleted.
     */
    private static final String DELETING = "-bw-deleting";

    private static final int MAX_ID = 64;
    private static final int OWNER_BYTES = 16;
    private static final int RANDOM_BYTES = 8;
    private static final int DAY = 10;

    /** A policy for a new key of an owner. */
    static StoredPolicy create(BucketOwner owner, String permission, SecureRandom random) {
        byte[] unique = new byte[RANDOM_BYTES];
        random.nextBytes(unique);
        return new StoredPolicy(prefix(owner) + HexFormat.of().formatHex(unique), "", NEVER, permission);
    }

    boolean belongsTo(BucketOwner owner) {
        return id.startsWith(prefix(owner));
    }

    boolean isOfBucketwright() {
        return id.startsWith(PREFIX);
    }

    boolean isSuspended() {
        return expiry.length() >= DAY && expiry.regionMatches(0, SUSPENDED, 0, DAY);
    }

    StoredPolicy withSuspension(boolean suspended) {
        return isSuspended() == suspended
                ? this
                : new StoredPolicy(id, start, suspended ? SUSPENDED : NEVER, permission);
    }

    boolean isDisabled() {
        return id.endsWith(DELETING);
    }

    /** Refuses the token until the policy is enabled; empty if the id is too long for that. */
    Optional<StoredPolicy> disabled() {
        return isDisabled()
                ? Optional.of(this)
                : Optional.of(withId(id + DELETING)).filter(StoredPolicy::hasValidId);
    }

    StoredPolicy enabled() {
        return isDisabled() ? withId(id.substring(0, id.length() - DELETING.length())) : this;
    }

    private boolean hasValidId() {
        return id.length() <= MAX_ID;
    }

    private StoredPolicy withId(String newId) {
        return new StoredPolicy(newId, start, expiry, permission);
    }

    StoredPolicy withPermission(String newPermission) {
        return new StoredPolicy(id, start, expiry, newPermission);
    }

    /** A hash, because an id has 64 characters and a cluster id and a uid have up to 120. */
    private static String prefix(BucketOwner owner) {
        return PREFIX + TextDigest.of(owner.toString()).hex(OWNER_BYTES) + "-";
    }
}
