package io.bucketwright.store;

/**
 * What a bucket holds.
 *
 * @param bytes of the current versions of its objects
 * @param objects how many
 * @param complete false if the store stopped counting: then there is at least this much
 */
public record Usage(long bytes, long objects, boolean complete) {}
