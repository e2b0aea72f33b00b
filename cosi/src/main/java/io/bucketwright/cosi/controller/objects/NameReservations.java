package io.bucketwright.cosi.controller.objects;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Names that workers of this process are about to write. Two requests whose Bucket or BucketAccess would get the same name
 * may be reconciled at the same moment, before either sees the other in the cache; the first one here gets the name.
 */
public final class NameReservations {

    private final Map<String, String> holders = new ConcurrentHashMap<>();

    /** Whether the name now belongs to this request. */
    public boolean reserve(String name, String uid) {
        return holders.computeIfAbsent(name, free -> uid).equals(uid);
    }

    public boolean isReservedByOther(String name, String uid) {
        return !holders.getOrDefault(name, uid).equals(uid);
    }

    /** The reconciliation ended: a name that was written is in the request itself. */
    public void release(String uid) {
        holders.values().removeIf(uid::equals);
    }
}
