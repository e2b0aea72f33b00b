package io.bucketwright.api;

import java.util.Map;

/** The StorageClass at the time of provisioning. It can be deleted or replaced before the bucket is deleted. */
public record BucketClassRef(String name, String uid, Map<String, String> parameters) {
    public BucketClassRef {
        parameters = Map.copyOf(parameters);
    }
}
