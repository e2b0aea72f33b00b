package io.bucketwright.store;

/**
 * The usage of a bucket.
 *
 * @param bytes the size of the current versions of its objects
 * @param objects the number of objects
 * @param complete false if the store stopped counting; then the values are lower bounds
 */
public record Usage(long bytes, long objects, boolean complete) {}
