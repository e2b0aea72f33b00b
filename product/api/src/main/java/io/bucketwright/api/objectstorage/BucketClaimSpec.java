package io.bucketwright.api.objectstorage;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.bucketwright.api.text.EmptyIfAbsent;
import io.fabric8.generator.annotation.Required;
import java.util.List;

/** What a user asks for. */
@JsonIgnoreProperties(ignoreUnknown = true)
@JsonInclude(JsonInclude.Include.NON_EMPTY)
public record BucketClaimSpec(
        @JsonPropertyDescription("The BucketClass for a new bucket.") @EmptyIfAbsent
        String bucketClassName,

        @JsonPropertyDescription("The protocols that applications need: S3, Azure or GCP.")
        @Required
        @JsonInclude(JsonInclude.Include.ALWAYS)
        @EmptyIfAbsent
        List<String> protocols,

        @JsonPropertyDescription("An existing Bucket to use. If set, bucketClassName is ignored.") @EmptyIfAbsent
        String existingBucketName) {
    static final BucketClaimSpec NONE = new BucketClaimSpec("", List.of(), "");
}
