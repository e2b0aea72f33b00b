package io.bucketwright.api.objectstorage;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.bucketwright.api.text.EmptyIfAbsent;

/** The status of a Bucket. The sidecar writes it. */
@JsonIgnoreProperties(ignoreUnknown = true)
@JsonInclude(JsonInclude.Include.NON_EMPTY)
public record ReleasedBucketStatus(
        @JsonPropertyDescription("Whether the bucket exists in the store.")
        boolean bucketReady,

        @JsonPropertyDescription("The id by which the driver finds the bucket.") @EmptyIfAbsent
        String bucketID) {
    static final ReleasedBucketStatus NONE = new ReleasedBucketStatus(false, "");
}
