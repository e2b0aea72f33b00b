package io.bucketwright.store.options;

import io.bucketwright.store.options.BucketOption.Tags;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A record of the options that were set on a bucket: their kinds, and the keys of tags. It does not contain their values. A
 * caller keeps it to remove options later, and only those.
 *
 * @param kinds the kinds of the options
 * @param tags the keys of tags
 */
public record AppliedOptions(Set<Capability> kinds, Set<String> tags) {

    public static final AppliedOptions NONE = new AppliedOptions(Set.of(), Set.of());

    /** The kinds of options that can give others than the owner's principal access to a bucket. */
    private static final Set<Capability> OPENING =
            Set.of(Capability.POLICY, Capability.CANNED_ACL, Capability.ANONYMOUS_ACCESS);

    /** All options that can give others access to a bucket. */
    public static final AppliedOptions ALL_OPENING = new AppliedOptions(OPENING, Set.of());

    private static final String TAG = "tags=";

    public AppliedOptions {
        kinds = Set.copyOf(kinds);
        tags = Set.copyOf(tags);
    }

    public static AppliedOptions of(BucketOptions options) {
        return new AppliedOptions(
                options.needs(),
                options.find(Tags.class).map(Tags::tags).orElse(Map.of()).keySet());
    }

    /**
     * Parses the text of {@link #toString}. Names that this version does not know are ignored.
     *
     * @param text names of options, and {@code tags=} with a key for each tag, separated by commas
     */
    public static AppliedOptions parse(String text) {
        Set<Capability> kinds = EnumSet.noneOf(Capability.class);
        Set<String> tags = new HashSet<>();
        for (String part : text.split(",", -1)) {
            if (part.startsWith(TAG)) {
                kinds.add(Capability.TAGS);
                tags.add(part.substring(TAG.length()));
            } else {
                Arrays.stream(Capability.values())
                        .filter(kind -> kind.text().equals(part))
                        .forEach(kinds::add);
            }
        }
        return new AppliedOptions(kinds, tags);
    }

    public boolean isEmpty() {
        return kinds.isEmpty();
    }

    public boolean contains(AppliedOptions others) {
        return kinds.containsAll(others.kinds) && tags.containsAll(others.tags);
    }

    /** Both together. */
    public AppliedOptions with(AppliedOptions more) {
        return new AppliedOptions(union(kinds, more.kinds), union(tags, more.tags));
    }

    /** What remains of this record if those options stay set. */
    public AppliedOptions without(AppliedOptions kept) {
        Set<String> otherTags = new HashSet<>(tags);
        otherTags.removeAll(kept.tags);
        Set<Capability> others = EnumSet.noneOf(Capability.class);
        others.addAll(kinds);
        others.removeAll(kept.kinds);
        if (!otherTags.isEmpty()) {
            others.add(Capability.TAGS);
        }
        return new AppliedOptions(others, otherTags);
    }

    /** The options of this record that can give others than the owner's principal access to the bucket. */
    public AppliedOptions opening() {
        Set<Capability> opening = EnumSet.noneOf(Capability.class);
        opening.addAll(kinds);
        opening.retainAll(OPENING);
        return new AppliedOptions(opening, Set.of());
    }

    private static <T> Set<T> union(Set<T> one, Set<T> other) {
        return Stream.concat(one.stream(), other.stream()).collect(Collectors.toUnmodifiableSet());
    }

    @Override
    public String toString() {
        Set<String> parts = new TreeSet<>();
        kinds.forEach(kind -> parts.add(kind.text()));
        tags.forEach(key -> parts.add(TAG + key));
        return String.join(",", parts);
    }
}
