package io.bucketwright.cosi.sidecar;

import io.bucketwright.api.cosi.Bucket;
import io.bucketwright.runtime.ObjectKey;
import io.bucketwright.runtime.client.JsonPatch;
import io.bucketwright.store.SecretValue;
import java.util.Map;

/** What can be done about a Bucket: one call to the driver, or one write. */
sealed interface BucketStep {

    /** Have the driver make it. */
    record Create(ObjectKey key, Bucket bucket, Map<String, SecretValue> secrets, String inputs)
            implements BucketStep {}

    /** Write down where it is. */
    record Fill(ObjectKey key, Bucket bucket, JsonPatch patch) implements BucketStep {}

    /** Have the driver delete it, and all that is in it. */
    record Delete(ObjectKey key, Bucket bucket, Map<String, SecretValue> secrets, String inputs)
            implements BucketStep {}

    /** Say where it stands. */
    record Say(ObjectKey key, Bucket bucket, BucketSaid said) implements BucketStep {}
}
