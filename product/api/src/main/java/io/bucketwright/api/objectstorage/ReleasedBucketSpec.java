package io.bucketwright.api.objectstorage;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.bucketwright.api.text.EmptyIfAbsent;
import io.fabric8.generator.annotation.Default;
import io.fabric8.generator.annotation.Required;
import io.fabric8.kubernetes.api.model.ObjectReference;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** A bucket: its driver, its claim and what happens to it when the claim is deleted. */
@JsonIgnoreProperties(ignoreUnknown = true)
@JsonInclude(JsonInclude.Include.NON_EMPTY)
public record ReleasedBucketSpec(
        @JsonPropertyDescription("The driver that serves this Bucket.")
        @Required
        @JsonInclude(JsonInclude.Include.ALWAYS)
        @EmptyIfAbsent
        String driverName,

        @JsonPropertyDescription("The BucketClass that it was created from.")
        @Required
        @JsonInclude(JsonInclude.Include.ALWAYS)
        @EmptyIfAbsent
        String bucketClassName,

        @JsonPropertyDescription("The BucketClaim that it belongs to. Empty for an existing bucket without a claim.")
        @Required
        ObjectReference bucketClaim,

        @JsonPropertyDescription("The protocols of the bucket: S3, Azure or GCP.")
        @Required
        @JsonInclude(JsonInclude.Include.ALWAYS)
        @EmptyIfAbsent
        List<String> protocols,

        @JsonPropertyDescription("The parameters of the BucketClass.") @EmptyIfAbsent
        Map<String, String> parameters,

        @JsonPropertyDescription("What happens to the bucket when its claim is deleted: Retain or Delete.")
        @Default("Retain")
        @EmptyIfAbsent
        String deletionPolicy,

        @JsonPropertyDescription("The driver's id of a bucket that existed before. Set by an administrator.")
        @EmptyIfAbsent
        String existingBucketID) {
    public ReleasedBucketSpec {
        bucketClaim = Objects.requireNonNullElseGet(bucketClaim, ObjectReference::new);
    }

    static final ReleasedBucketSpec NONE =
            new ReleasedBucketSpec("", "", new ObjectReference(), List.of(), Map.of(), "", "");
}
