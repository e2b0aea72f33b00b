package io.bucketwright.cosi.sanity;

import io.bucketwright.cosi.proto.DeleteBucketRequest;
import io.bucketwright.cosi.proto.RevokeBucketAccessRequest;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** How to undo all that the suite may have made, whether or not it got an answer. */
final class CreatedResources {

    private final Map<List<Object>, RevokeBucketAccessRequest> grants = new LinkedHashMap<>();
    private final Map<List<Object>, DeleteBucketRequest> buckets = new LinkedHashMap<>();

    synchronized void bucket(DeleteBucketRequest undo) {
        buckets.put(List.of(undo.getBucketName(), undo.getDriverParametersMap()), undo);
    }

    synchronized void grant(RevokeBucketAccessRequest undo) {
        grants.put(List.of(undo.getBucketName(), undo.getPermissionsMap()), undo);
    }

    synchronized List<RevokeBucketAccessRequest> grants() {
        return List.copyOf(grants.values());
    }

    synchronized List<DeleteBucketRequest> buckets() {
        return List.copyOf(buckets.values());
    }
}
