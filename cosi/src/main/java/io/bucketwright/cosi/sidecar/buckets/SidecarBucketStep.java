package io.bucketwright.cosi.sidecar.buckets;


import io.bucketwright.api.cosi.Bucket;
import io.bucketwright.runtime.ObjectKey;
import io.bucketwright.runtime.client.JsonPatch;
import io.bucketwright.store.connection.SecretValue;
import java.util.Map;

/** What can be done about a Bucket: one call to the driver, or one write. */
public sealed interface SidecarBucketStep {

    /** Have the driver make it. */
    record Create(ObjectKey key, Bucket bucket, Map<String, SecretValue> secrets, String inputs)
            implements SidecarBucketStep {}

    /** Write down where it is. */
    record Fill(ObjectKey key, Bucket bucket, JsonPatch patch) implements SidecarBucketStep {}

    /** Have the driver delete it, and all that is in it. */
    record Delete(ObjectKey key, Bucket bucket, Map<String, SecretValue> secrets, String inputs)
            implements SidecarBucketStep {}

    /** Say where it stands. */
    record Say(ObjectKey key, Bucket bucket, BucketStatusUpdate said) implements SidecarBucketStep {}
}
