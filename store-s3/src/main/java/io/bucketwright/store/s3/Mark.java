package io.bucketwright.store.s3;

import io.bucketwright.store.options.BucketOption;
import io.bucketwright.store.access.BucketOwner;
import io.bucketwright.store.errors.StoreException.Invalid;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * Whose a bucket or a principal is, as its tags say. Written to last: a version stands beside it, and a newer one than
 * ours is nobody we know.
 */
sealed interface Mark {

    /** It bears no mark: we did not make it, or we did not come so far. */
    record Unmarked() implements Mark {}

    /** Made for this owner, and this owner's to destroy. */
    record Owned(BucketOwner owner) implements Mark {}

    /** Made for this owner, who let it go. */
    record Released(BucketOwner owner) implements Mark {}

    /** Not made for this owner, who uses it. */
    record Adopted(BucketOwner owner) implements Mark {}

    /** Marked in a way that this version cannot read. */
    record Unreadable() implements Mark {}

    String VERSION = "1";
    String VERSION_TAG = BucketOption.Tags.RESERVED + "version";
    String CLUSTER_TAG = BucketOption.Tags.RESERVED + "cluster";
    String OWNED_TAG = BucketOption.Tags.RESERVED + "owner";
    String RELEASED_TAG = BucketOption.Tags.RESERVED + "released";
    String ADOPTED_TAG = BucketOption.Tags.RESERVED + "adopted";

    static Mark read(Map<String, String> tags) {
        List<String> states = Stream.of(OWNED_TAG, RELEASED_TAG, ADOPTED_TAG)
                .filter(tags::containsKey)
                .toList();
        boolean marked = tags.keySet().stream().anyMatch(key -> key.startsWith(BucketOption.Tags.RESERVED));
        if (!marked) {
            return new Unmarked();
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
        } catch (Invalid notOurs) {
            return new Unreadable();
        }
    }

    /** The tags with this mark instead of whatever mark they hold. */
    default Map<String, String> on(Map<String, String> tags) {
        Map<String, String> marked = new TreeMap<>(tags);
        marked.keySet().removeIf(key -> key.startsWith(BucketOption.Tags.RESERVED));
        marked.putAll(tags());
        return marked;
    }

    default Map<String, String> tags() {
        return switch (this) {
            case Owned owned -> tags(OWNED_TAG, owned.owner());
            case Released released -> tags(RELEASED_TAG, released.owner());
            case Adopted adopted -> tags(ADOPTED_TAG, adopted.owner());
            case Unmarked _, Unreadable _ -> throw new IllegalStateException(this + " cannot be written");
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
