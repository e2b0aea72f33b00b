package io.bucketwright.store;

import io.bucketwright.store.access.OwnershipTags;
import java.time.Instant;
import java.util.Optional;

/**
 * A bucket that exists in a store.
 *
 * @param name as the store has it: buckets of others can have names that no claim can have
 * @param tags {@link OwnershipTags.Unreadable} also if the administrator may not read them
 * @param created empty if the store does not tell
 */
public record ListedBucket(String name, OwnershipTags tags, Optional<Instant> created) {}
