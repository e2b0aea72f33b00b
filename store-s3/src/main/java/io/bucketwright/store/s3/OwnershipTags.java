package io.bucketwright.store.s3;

import io.bucketwright.store.access.BucketOwner;
import io.bucketwright.store.errors.StoreException.Invalid;
import io.bucketwright.store.options.BucketOption;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * The owner of a bucket or principal, as recorded in its tags. The tags carry a version. Tags with a newer version are
 * {@link Unreadable}, and the bucket is left alone.
 */
sealed interface OwnershipTags {

    /** No ownership tag: another tool created it, or the tags are not written yet. */
    record Untagged() implements OwnershipTags {}

    /** Created for this owner. Only this owner may delete it. */
    record Owned(BucketOwner owner) implements OwnershipTags {}

    /** Created for this owner, and released by it. Another owner can adopt it. */
    record Released(BucketOwner owner) implements OwnershipTags {}

    /** Adopted by this owner. Never deleted or erased. */
    record Adopted(BucketOwner owner) implements OwnershipTags {}

    /** Tagged in a format that this version cannot read. */
    record Unreadable() implements OwnershipTags {}

    String VERSION = "1";
    String VERSION_TAG = BucketOption.Tags.RESERVED + "version";
    String CLUSTER_TAG = BucketOption.Tags.RESERVED + "cluster";
    String OWNED_TAG = BucketOption.Tags.RESERVED + "owner";
    String RELEASED_TAG = BucketOption.Tags.RESERVED + "released";
    String ADOPTED_TAG = BucketOption.Tags.RESERVED + "adopted";

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
                case OWNED_TAG -> new Owned(owner);
                case RELEASED_TAG -> new Released(owner);
                default -> new Adopted(owner);
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
            case Owned owned -> tags(OWNED_TAG, owned.owner());
            case Released released -> tags(RELEASED_TAG, released.owner());
            case Adopted adopted -> tags(ADOPTED_TAG, adopted.owner());
            case Untagged _, Unreadable _ -> throw new IllegalStateException(this + " cannot be written");
        };
    }

    private static Map<String, String> tags(String state, BucketOwner owner) {
        Map<String, String> tags = new HashMap<>();
        tags.put(VERSION_TAG, VERSION);
        tags.put(CLUSTER_TAG, owner.clusterId());
        tags.put(state, owner.uid());
        return tags;
    }
}
