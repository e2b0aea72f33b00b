package io.bucketwright.buckets.claims;

import io.fabric8.kubernetes.api.model.HasMetadata;
import java.util.Map;

/** The Secret or the ConfigMap of a claim, as the cache shows it. No secret value is in here. */
sealed interface Child<T extends HasMetadata> {

    record Absent<T extends HasMetadata>() implements Child<T> {}

    /** An object of that name that does not belong to the claim. */
    record Foreign<T extends HasMetadata>() implements Child<T> {}

    /**
     * The claim's own.
     *
     * @param bare the object without its content
     * @param content by key: of a ConfigMap the values, of a Secret a digest of each
     */
    record Ours<T extends HasMetadata>(T bare, Map<String, String> content) implements Child<T> {
        public Ours {
            content = Map.copyOf(content);
        }

        boolean deleting() {
            return bare.getMetadata().getDeletionTimestamp() != null;
        }
    }
}
