package io.bucketwright.testing;

import java.util.UUID;

/**
 * Names of objects that a test creates only to wait for. A controller that has finished a sentinel has seen everything
 * that was written to the same kind before it. Requests about sentinels are not counted.
 *
 * <p>The cheapest sentinel is an object that the controller rejects: one status or event, no finalizer, no children.
 */
public final class Sentinel {

    private static final String PREFIX = "bw-sentinel-";

    private Sentinel() {}

    /** A new name, valid for any object. */
    public static String newName() {
        return PREFIX + UUID.randomUUID().toString().substring(0, 8);
    }

    /** Whether this is a sentinel or named after one, as events and objects that a controller derives from it are. */
    public static boolean isSentinel(String name) {
        return name.contains(PREFIX);
    }
}
