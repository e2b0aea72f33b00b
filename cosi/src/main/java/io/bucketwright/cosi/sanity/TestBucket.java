package io.bucketwright.cosi.sanity;

import io.bucketwright.cosi.wire.ParameterKeys;
import java.util.HashMap;
import java.util.Map;

/**
 * A bucket that a check works with.
 *
 * @param parameters with the ids that tell whose it is
 */
record TestBucket(String name, Map<String, String> parameters) {

    TestBucket {
        parameters = Map.copyOf(parameters);
    }

    /** A bucket of the same name that somebody else wants. */
    TestBucket ofAnother(String uid) {
        Map<String, String> others = new HashMap<>(parameters);
        others.put(ParameterKeys.BUCKET_UID, uid);
        return new TestBucket(name, others);
    }

    TestBucket named(String other) {
        return new TestBucket(other, parameters);
    }
}
