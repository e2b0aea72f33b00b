package io.bucketwright.cosi.controller;

import io.bucketwright.runtime.ObjectKey;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** Access requests whose Secret's name was found to be somebody else's, while they are in work. */
final class ForeignSecrets {

    private final Set<ObjectKey> known = ConcurrentHashMap.newKeySet();

    boolean isKnown(ObjectKey request) {
        return known.contains(request);
    }

    void remember(ObjectKey request) {
        known.add(request);
    }

    void forget(ObjectKey request) {
        known.remove(request);
    }
}
