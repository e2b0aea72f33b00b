package io.bucketwright.store.access;

import io.bucketwright.store.errors.StoreException.Invalid;
import io.bucketwright.store.options.BucketOption;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * The owner of a bucket or principal, as recorded in its tags. The tags carry a version. Tags with a newer version are
 * {@link Unreadable}, and the bucket is left alone.
 */
public sealed interface OwnershipTags {

    /** No ownership tag: another tool created it, or the tags are not written yet. */
    record Untagged() implements OwnershipTags {}

    /** Created for this owner. Only this owner may delete it. */
    record Owned(BucketOwner owner, ClaimIdentity claim, Reclaim reclaim) implements OwnershipTags {

        /** For owners that are no claims. */
        public Owned(BucketOwner owner, ClaimIdentity claim) {
            this(owner, claim, Reclaim.UNKNOWN);
        }
    }

    /** Created for this owner, and released by it. Another owner in the same namespace can adopt it. */
    record Released(BucketOwner owner, ClaimIdentity claim) implements OwnershipTags {}

    /** Adopted by this owner. Never deleted or erased. */
    record Adopted(BucketOwner owner, ClaimIdentity claim) implements OwnershipTags {}

    /** Tagged in a format that this version cannot read. */
    record Unreadable() implements OwnershipTags {}

    String VERSION = "1";
    String VERSION_TAG = BucketOption.Tags.RESERVED + "version";
    String CLUSTER_TAG = BucketOption.Tags.RESERVED + "cluster";
    String OWNED_TAG = BucketOption.Tags.RESERVED + "owner";
    String RELEASED_TAG = BucketOption.Tags.RESERVED + "released";
    String ADOPTED_TAG = BucketOption.Tags.RESERVED + "adopted";
    String NAMESPACE_TAG = BucketOption.Tags.RESERVED + "claim-namespace";
    String NAMESPACE_UID_TAG = BucketOption.Tags.RESERVED + "claim-namespace-uid";
    String RECLAIM_TAG = BucketOption.Tags.RESERVED + "reclaim-policy";
    String NAME_TAG = BucketOption.Tags.RESERVED + "claim-name";
    /** The namespace whose claim released the bucket, as {@code name/uid}. */
    String RELEASED_BY_TAG = BucketOption.Tags.RESERVED + "released-by-namespace";

    static OwnershipTags read(Map<String, String> tags) {
        List<String> states = Stream.of(OWNED_TAG, RELEASED_TAG, ADOPTED_TAG)
                .filter(tags::containsKey)
                .toList();
        boolean tagged = tags.keySet().stream().anyMatch(key -> key.startsWith(BucketOption.Tags.RESERVED));
        if (!tagged) {
            return new Untagged();
        }
        if (!VERSION.equals(tags.get(VERSION_TAG)) || states.size() != 1) {
            return new Unreadable();
        }
        String state = states.getFirst();
        try {
            BucketOwner owner = new BucketOwner(tags.getOrDefault(CLUSTER_TAG, ""), tags.getOrDefault(state, ""));
            return switch (state) {
                case OWNED_TAG -> new Owned(owner, claim(tags), Reclaim.of(tags.getOrDefault(RECLAIM_TAG, "")));
                case RELEASED_TAG -> new Released(owner, releasedBy(tags.getOrDefault(RELEASED_BY_TAG, "")));
                default -> new Adopted(owner, claim(tags));
            };
        } catch (Invalid malformed) {
            return new Unreadable();
        }
    }

    /** Replaces the ownership tags among these tags and keeps the others. */
    default Map<String, String> mergedInto(Map<String, String> tags) {
        Map<String, String> merged = new TreeMap<>(tags);
        merged.keySet().removeIf(key -> key.startsWith(BucketOption.Tags.RESERVED));
        merged.putAll(tags());
        return merged;
    }

    default Map<String, String> tags() {
        return switch (this) {
            case Owned owned -> tags(OWNED_TAG, owned.owner(), names(owned));
            case Released released -> tags(RELEASED_TAG, released.owner(), releasedBy(released.claim()));
            case Adopted adopted -> tags(ADOPTED_TAG, adopted.owner(), names(adopted.claim()));
            case Untagged _, Unreadable _ -> throw new IllegalStateException(this + " cannot be written");
        };
    }

    default boolean isOwnedBy(BucketOwner other) {
        return this instanceof Owned owned && owned.owner().equals(other);
    }

    /** Whether the owner may delete or erase the bucket: nobody before it had to keep the bucket. */
    default boolean isReclaimableBy(BucketOwner other, Reclaim wanted) {
        return this instanceof Owned owned
                && owned.owner().equals(other)
                && owned.reclaim().allows(wanted);
    }

    default boolean isAdoptedBy(BucketOwner other) {
        return this instanceof Adopted(BucketOwner owner, ClaimIdentity _) && owner.equals(other);
    }

    default boolean isReleasedBy(BucketOwner other) {
        return this instanceof Released(BucketOwner owner, ClaimIdentity _) && owner.equals(other);
    }

    /** Whether the tags name an owner, now or before a release, and it is not this one. */
    default boolean nameAnother(BucketOwner other) {
        return switch (this) {
            case Owned owned -> !owned.owner().equals(other);
            case Released released -> !released.owner().equals(other);
            case Adopted adopted -> !adopted.owner().equals(other);
            case Untagged _, Unreadable _ -> false;
        };
    }

    /** Whether the tags name the same uid in another cluster: a backup of that cluster was restored in this one. */
    default boolean isOwnedInAnotherCluster(BucketOwner other) {
        return this instanceof Owned owned && owned.owner().isSameInAnotherCluster(other);
    }

    /** The current owner. */
    default Optional<BucketOwner> currentOwner() {
        return switch (this) {
            case Owned owned -> Optional.of(owned.owner());
            case Adopted adopted -> Optional.of(adopted.owner());
            case Released _, Untagged _, Unreadable _ -> Optional.empty();
        };
    }

    /** The claim behind the owner; unknown if the tags do not tell. */
    default ClaimIdentity claimOrNone() {
        return switch (this) {
            case Owned owned -> owned.claim();
            case Released released -> released.claim();
            case Adopted adopted -> adopted.claim();
            case Untagged _, Unreadable _ -> ClaimIdentity.NONE;
        };
    }

    /**
     * The former owner, if the tags name the same claim in the same namespace and cluster with another uid. Two claims of one
     * namespace and name cannot exist at the same time, so that the former one no longer exists. A namespace that was created
     * again can belong to somebody else, and a claim that may have been suspended must not return: both need an administrator.
     */
    default Optional<BucketOwner> formerOwner(BucketOwner next, ClaimIdentity claim) {
        return namesakeOwner(next, claim)
                .filter(_ -> claimOrNone().isSameNamespace(claim))
                .filter(_ -> !(this instanceof Owned owned) || owned.reclaim().allowsReturn());
    }

    /** The former owner, if the tags name a claim of the same names in the same cluster, perhaps of another tenant. */
    default Optional<BucketOwner> namesakeOwner(BucketOwner next, ClaimIdentity claim) {
        return currentOwner()
                .filter(former -> former.clusterId().equals(next.clusterId()))
                .filter(former -> !former.equals(next))
                .filter(_ -> claimOrNone().hasSameNames(claim));
    }

    private static ClaimIdentity claim(Map<String, String> tags) {
        return new ClaimIdentity(
                tags.getOrDefault(NAMESPACE_TAG, ""),
                tags.getOrDefault(NAMESPACE_UID_TAG, ""),
                tags.getOrDefault(NAME_TAG, ""));
    }

    private static Map<String, String> names(Owned owned) {
        Map<String, String> names = new HashMap<>(names(owned.claim()));
        if (owned.reclaim() != Reclaim.UNKNOWN) {
            names.put(RECLAIM_TAG, owned.reclaim().text());
        }
        return names;
    }

    private static Map<String, String> names(ClaimIdentity claim) {
        return claim.isKnown()
                ? Map.of(
                        NAMESPACE_TAG, claim.namespace(),
                        NAMESPACE_UID_TAG, claim.namespaceUid(),
                        NAME_TAG, claim.name())
                : Map.of();
    }

    private static ClaimIdentity releasedBy(String tag) {
        int slash = tag.indexOf('/');
        return slash < 0
                ? ClaimIdentity.NONE
                : new ClaimIdentity(tag.substring(0, slash), tag.substring(slash + 1), "");
    }

    private static Map<String, String> releasedBy(ClaimIdentity claim) {
        return claim.namespaceUid().isEmpty()
                ? Map.of()
                : Map.of(RELEASED_BY_TAG, claim.namespace() + "/" + claim.namespaceUid());
    }

    private static Map<String, String> tags(String state, BucketOwner owner, Map<String, String> more) {
        Map<String, String> tags = new HashMap<>(more);
        tags.put(VERSION_TAG, VERSION);
        tags.put(CLUSTER_TAG, owner.clusterId());
        tags.put(state, owner.uid());
        return tags;
    }
}
