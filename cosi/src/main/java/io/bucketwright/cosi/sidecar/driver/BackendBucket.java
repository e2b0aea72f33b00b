package io.bucketwright.cosi.sidecar.driver;

import java.util.Map;

/**
 * A bucket as a driver knows it.
 *
 * @param name in the store
 * @param parameters it was made with
 */
public record BackendBucket(String name, Map<String, String> parameters) {

    public BackendBucket {
        parameters = Map.copyOf(parameters);
    }
}
