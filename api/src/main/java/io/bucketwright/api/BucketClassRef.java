package io.bucketwright.api;

import java.util.Map;

/** The StorageClass a bucket is made by, as it is at that moment: it may be gone, or another, when the bucket goes. */
public record BucketClassRef(String name, String uid, Map<String, String> parameters) {
    public BucketClassRef {
        parameters = Map.copyOf(parameters);
    }
}
