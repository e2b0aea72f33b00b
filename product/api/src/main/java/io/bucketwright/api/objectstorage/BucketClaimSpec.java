package io.bucketwright.api.objectstorage;

import com.fasterxml.jackson.annotation.JsonAnySetter;
import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Required;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What a user asks for. */
@JsonInclude(JsonInclude.Include.NON_EMPTY)
public record BucketClaimSpec(
        @JsonPropertyDescription("The BucketClass for a new bucket.")
        String bucketClassName,

        @JsonPropertyDescription("The protocols that applications need: S3, Azure or GCP.")
        @Required
        @JsonInclude(JsonInclude.Include.ALWAYS)
        List<String> protocols,

        @JsonPropertyDescription("An existing Bucket to use. If set, bucketClassName is ignored.")
        String existingBucketName,

        @OtherFields Map<String, @Nullable Object> others) {
    static final BucketClaimSpec NONE = new BucketClaimSpec("", List.of(), "");

    /** A spec as Bucketwright writes it: without fields that are empty. */
    public BucketClaimSpec(String bucketClassName, List<String> protocols, String existingBucketName) {
        this(bucketClassName, protocols, existingBucketName, Map.of());
    }

    @JsonCreator
    static BucketClaimSpec read(
            @JsonProperty("bucketClassName") @Nullable String bucketClassName,
            @JsonProperty("protocols") @Nullable List<String> protocols,
            @JsonProperty("existingBucketName") @Nullable String existingBucketName,
            @JsonAnySetter @Nullable Map<String, @Nullable Object> unknown) {
        ReadFields fields = new ReadFields(unknown);
        return new BucketClaimSpec(
                fields.text("bucketClassName", bucketClassName),
                ReadFields.required(protocols),
                fields.text("existingBucketName", existingBucketName),
                fields.others());
    }
}
