package io.bucketwright.api.objectstorage;

import com.fasterxml.jackson.annotation.JsonAnySetter;
import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Default;
import io.fabric8.generator.annotation.Required;
import io.fabric8.kubernetes.api.model.ObjectReference;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A bucket: its driver, its claim and what happens to it when the claim is deleted. */
@JsonInclude(JsonInclude.Include.NON_EMPTY)
public record ReleasedBucketSpec(
        @JsonPropertyDescription("The driver that serves this Bucket.")
        @Required
        @JsonInclude(JsonInclude.Include.ALWAYS)
        String driverName,

        @JsonPropertyDescription("The BucketClass that it was created from.")
        @Required
        @JsonInclude(JsonInclude.Include.ALWAYS)
        String bucketClassName,

        @JsonPropertyDescription("The BucketClaim that it belongs to. Empty for an existing bucket without a claim.")
        @Required
        ObjectReference bucketClaim,

        @JsonPropertyDescription("The protocols of the bucket: S3, Azure or GCP.")
        @Required
        @JsonInclude(JsonInclude.Include.ALWAYS)
        List<String> protocols,

        @JsonPropertyDescription("The parameters of the BucketClass.")
        Map<String, String> parameters,

        @JsonPropertyDescription("What happens to the bucket when its claim is deleted: Retain or Delete.")
        @Default("Retain")
        String deletionPolicy,

        @JsonPropertyDescription("The driver's id of a bucket that existed before. Set by an administrator.")
        String existingBucketID,

        @OtherFields Map<String, @Nullable Object> others) {
    static final ReleasedBucketSpec NONE =
            new ReleasedBucketSpec("", "", new ObjectReference(), List.of(), Map.of(), "", "");

    /** A spec as Bucketwright writes it: without fields that are empty. */
    public ReleasedBucketSpec(
            String driverName,
            String bucketClassName,
            ObjectReference bucketClaim,
            List<String> protocols,
            Map<String, String> parameters,
            String deletionPolicy,
            String existingBucketID) {
        this(
                driverName,
                bucketClassName,
                bucketClaim,
                protocols,
                parameters,
                deletionPolicy,
                existingBucketID,
                Map.of());
    }

    @JsonCreator
    static ReleasedBucketSpec read(
            @JsonProperty("driverName") @Nullable String driverName,
            @JsonProperty("bucketClassName") @Nullable String bucketClassName,
            @JsonProperty("bucketClaim") @Nullable ObjectReference bucketClaim,
            @JsonProperty("protocols") @Nullable List<String> protocols,
            @JsonProperty("parameters") @Nullable Map<String, String> parameters,
            @JsonProperty("deletionPolicy") @Nullable String deletionPolicy,
            @JsonProperty("existingBucketID") @Nullable String existingBucketID,
            @JsonAnySetter @Nullable Map<String, @Nullable Object> unknown) {
        ReadFields fields = new ReadFields(unknown);
        return new ReleasedBucketSpec(
                ReadFields.required(driverName),
                ReadFields.required(bucketClassName),
                Objects.requireNonNullElseGet(bucketClaim, ObjectReference::new),
                ReadFields.required(protocols),
                fields.map("parameters", parameters),
                fields.text("deletionPolicy", deletionPolicy),
                fields.text("existingBucketID", existingBucketID),
                fields.others());
    }
}
