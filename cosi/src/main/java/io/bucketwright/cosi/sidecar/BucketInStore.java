package io.bucketwright.cosi.sidecar;

import java.util.Map;

/**
 * A bucket as a driver knows it.
 *
 * @param name in the store
 * @param parameters it was made with
 */
record BucketInStore(String name, Map<String, String> parameters) {

    BucketInStore {
        parameters = Map.copyOf(parameters);
    }
}
