package io.bucketwright.cosi.sidecar.driver;

import java.util.Map;

/**
 * A bucket as the driver knows it.
 *
 * @param name in the store
 * @param parameters of the class it was created with
 */
public record BackendBucket(String name, Map<String, String> parameters) {}
