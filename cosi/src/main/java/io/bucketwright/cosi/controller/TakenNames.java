package io.bucketwright.cosi.controller;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Names that requests in work are about to take. Two requests whose answers would have the same name may be in work at the
 * same moment, and neither sees the other yet; whoever asks here first gets the name.
 */
final class TakenNames {

    private final Map<String, String> takers = new ConcurrentHashMap<>();

    /** Whether the name is this request's now. */
    boolean take(String name, String uid) {
        return takers.computeIfAbsent(name, free -> uid).equals(uid);
    }

    boolean isAnothers(String name, String uid) {
        return !takers.getOrDefault(name, uid).equals(uid);
    }

    /** The request is at rest: what it took, it says itself. */
    void release(String uid) {
        takers.values().removeIf(uid::equals);
    }
}
