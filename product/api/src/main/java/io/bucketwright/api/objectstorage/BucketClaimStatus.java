package io.bucketwright.api.objectstorage;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.bucketwright.api.text.EmptyIfAbsent;
import io.fabric8.generator.annotation.Required;

/** What is known about the bucket of a claim. */
@JsonIgnoreProperties(ignoreUnknown = true)
@JsonInclude(JsonInclude.Include.NON_EMPTY)
public record BucketClaimStatus(
        @JsonPropertyDescription("Whether the bucket exists in the store.") @Required
        boolean bucketReady,

        @JsonPropertyDescription("The Bucket.") @EmptyIfAbsent
        String bucketName) {
    static final BucketClaimStatus NONE = new BucketClaimStatus(false, "");
}
