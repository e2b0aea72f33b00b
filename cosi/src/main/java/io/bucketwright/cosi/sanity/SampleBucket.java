package io.bucketwright.cosi.sanity;

import io.bucketwright.cosi.wire.Keys;
import java.util.HashMap;
import java.util.Map;

/**
 * A bucket that a check works with.
 *
 * @param parameters with the ids that tell whose it is
 */
record SampleBucket(String name, Map<String, String> parameters) {

    SampleBucket {
        parameters = Map.copyOf(parameters);
    }

    /** A bucket of the same name that somebody else wants. */
    SampleBucket ofAnother(String uid) {
        Map<String, String> others = new HashMap<>(parameters);
        others.put(Keys.BUCKET_UID, uid);
        return new SampleBucket(name, others);
    }

    SampleBucket named(String other) {
        return new SampleBucket(other, parameters);
    }
}
