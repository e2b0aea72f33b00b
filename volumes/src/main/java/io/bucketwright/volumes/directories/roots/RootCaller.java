package io.bucketwright.volumes.directories.roots;

import java.util.function.Consumer;

/**
 * Who runs an operation on a root.
 *
 * @param key what the caller works on; one operation per key runs at a time
 * @param requeue adds the key to the caller's queue again
 */
public record RootCaller(Object key, Runnable requeue) {

    /** A controller that works on a key of its queue. */
    public static <K> RootCaller of(K key, Consumer<K> queue) {
        return new RootCaller(key, () -> queue.accept(key));
    }
}
