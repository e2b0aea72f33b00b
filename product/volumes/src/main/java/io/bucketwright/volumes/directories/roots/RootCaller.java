package io.bucketwright.volumes.directories.roots;

/**
 * Who runs an operation on a root.
 *
 * @param key what the caller works on; one operation per key runs at a time
 * @param requeue adds the key to the caller's queue again
 */
public record RootCaller(Object key, Runnable requeue) {}
