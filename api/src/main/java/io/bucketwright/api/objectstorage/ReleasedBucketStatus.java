package io.bucketwright.api.objectstorage;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.bucketwright.api.text.EmptyIfAbsent;

/** What the sidecar knows about a bucket. */
@JsonIgnoreProperties(ignoreUnknown = true)
@JsonInclude(JsonInclude.Include.NON_EMPTY)
public record ReleasedBucketStatus(
        @JsonPropertyDescription("Whether the bucket exists in the store.")
        boolean bucketReady,

        @JsonPropertyDescription("By which id the driver finds the bucket.") @EmptyIfAbsent
        String bucketID) {
    static final ReleasedBucketStatus NONE = new ReleasedBucketStatus(false, "");
}
