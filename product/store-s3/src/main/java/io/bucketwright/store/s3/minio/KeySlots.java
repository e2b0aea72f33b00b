package io.bucketwright.store.s3.minio;

import io.bucketwright.store.access.BucketOwner;
import io.bucketwright.store.access.TextDigest;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * The ids of the access keys that a principal can have: two, which follow from its owner. The id of a deleted key is used
 * again, with another secret.
 */
record KeySlots(List<String> ids) {

    private static final int MAX_KEYS = 2;
    private static final String PREFIX = "BW";

    /** MinIO limits the ids of service accounts to 20 characters. With the prefix, these have 90 bits. */
    private static final int DERIVED_LENGTH = 18;

    private static final String ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";

    static KeySlots of(BucketOwner owner) {
        return new KeySlots(IntStream.range(0, MAX_KEYS)
                .mapToObj(slot -> PREFIX + derived(owner + "/" + slot))
                .toList());
    }

    /** An id that is not published. */
    Optional<String> free(Set<String> publishedKeys) {
        return ids.stream().filter(id -> !publishedKeys.contains(id)).findFirst();
    }

    private static String derived(String text) {
        byte[] hash = TextDigest.of(text).bytes();
        return IntStream.range(0, DERIVED_LENGTH)
                .mapToObj(i -> ALPHABET.charAt(hash[i] & (ALPHABET.length() - 1)))
                .map(String::valueOf)
                .collect(Collectors.joining());
    }
}
