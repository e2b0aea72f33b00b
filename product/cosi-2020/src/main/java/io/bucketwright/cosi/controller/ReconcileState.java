package io.bucketwright.cosi.controller;

import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * What requests know while they are being reconciled, by their uid. It is not an {@code InFlightState}: that outlives a
 * reconciliation and belongs to one key, while a name is contended by two keys, and whether the name of a Secret is in use
 * is checked again in each reconciliation.
 */
final class ReconcileState {

    /** Names that workers of this process are about to write, and the requests that reserve them. */
    private final Map<String, String> names = new ConcurrentHashMap<>();

    private final Set<String> conflicts = ConcurrentHashMap.newKeySet();

    /** Why the API server refused to create an object for a request. */
    private final Map<String, String> refusals = new ConcurrentHashMap<>();

    /**
     * Reserves the name of a Bucket or BucketAccess. Two requests that would choose the same name may be reconciled at the
     * same moment, before either sees the other in the cache; the first one here gets the name.
     */
    public boolean reserve(String name, String uid) {
        return names.computeIfAbsent(name, free -> uid).equals(uid);
    }

    public boolean isReservedByOther(String name, String uid) {
        return !names.getOrDefault(name, uid).equals(uid);
    }

    /** Records that the name of the request's Secret is in use by a Secret of another owner. */
    public void addConflict(String uid) {
        conflicts.add(uid);
    }

    public boolean hasConflict(String uid) {
        return conflicts.contains(uid);
    }

    /** Records that the API server refused to create an object for the request. */
    public void addRefusal(String uid, String message) {
        refusals.put(uid, message);
    }

    /** Why the API server refused to create an object for the request; empty if it did not. */
    public String refusal(String uid) {
        return refusals.getOrDefault(uid, "");
    }

    /** The reconciliation ended: a name that was written is in the request itself. */
    public void forget(String uid) {
        names.values().removeIf(uid::equals);
        conflicts.remove(uid);
        refusals.remove(uid);
    }
}
