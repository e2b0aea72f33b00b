package io.bucketwright.cosi.controller.steps;

import io.bucketwright.runtime.ObjectKey;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** Access requests whose Secret's name is in use by a Secret of another owner, while they are being reconciled. */
public final class SecretConflicts {

    private final Set<ObjectKey> requests = ConcurrentHashMap.newKeySet();

    public boolean contains(ObjectKey request) {
        return requests.contains(request);
    }

    public void add(ObjectKey request) {
        requests.add(request);
    }

    public void remove(ObjectKey request) {
        requests.remove(request);
    }
}
